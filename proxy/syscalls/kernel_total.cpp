// SPDX-License-Identifier: Apache-2.0
#include "syscalls/kernel_total.hpp"

#include <fstream>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace sluice::syscalls {

namespace {

std::optional<std::uint64_t> tracepoint_id() {
  for (const char* path : {"/sys/kernel/tracing/events/raw_syscalls/sys_enter/id",
                           "/sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id"}) {
    std::ifstream file{path};
    if (std::uint64_t id = 0; file >> id) {
      return id;
    }
  }
  return std::nullopt;
}

}  // namespace

KernelTotal::KernelTotal(core::Fd fd) : m_fd{std::move(fd)} {}

std::optional<KernelTotal> KernelTotal::open(pid_t thread) {
  const auto id = tracepoint_id();
  if (!id) {
    return std::nullopt;
  }
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = PERF_TYPE_TRACEPOINT;
  event.config = *id;
  core::Fd fd{static_cast<int>(
      ::syscall(SYS_perf_event_open, &event, thread, -1, -1, PERF_FLAG_FD_CLOEXEC))};
  if (!fd) {
    return std::nullopt;
  }
  return KernelTotal{std::move(fd)};
}

std::optional<std::uint64_t> KernelTotal::read() const {
  std::uint64_t total = 0;
  if (::read(m_fd.get(), &total, sizeof total) != static_cast<ssize_t>(sizeof total)) {
    return std::nullopt;
  }
  return total;
}

}  // namespace sluice::syscalls
