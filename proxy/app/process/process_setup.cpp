// SPDX-License-Identifier: Apache-2.0
#include "app/process/process_setup.hpp"

#include "app/log/log.hpp"
#include "core/base/fd.hpp"
#include "syscalls/shed.hpp"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <malloc.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sluice::app {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::runtime_error("cannot write the pid file " + path + ": " +
                           std::generic_category().message(error));
}

}  // namespace

unsigned long raise_descriptor_limit() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur != limit.rlim_max) {
    rlimit raised = limit;
    raised.rlim_cur = raised.rlim_max;
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return limit.rlim_cur;
}

bool keep_memory_out_of_core_dumps() noexcept {
  const core::Fd fd(::open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC));
  return fd && ::write(fd.get(), "0\n", 2) == 2;
}

void free_small_messages_without_lock() noexcept {
#ifdef __GLIBC__
  ::mallopt(M_MXFAST, static_cast<int>(80 * sizeof(std::size_t) / 4));
#endif
}

ConnectionShedding::ConnectionShedding(Log& log) noexcept {
  const auto told = [](void* context) {
    static_cast<Log*>(context)->error(
        "connections are shed: no file descriptor is left (RLIMIT_NOFILE)");
  };
  if (!syscalls::arm_descriptor_shedding()) log.debug("connections are not shed at that limit");
  syscalls::on_shed(told, &log);
}

ConnectionShedding::~ConnectionShedding() {
  syscalls::on_shed(nullptr, nullptr);
}

PidFile::PidFile(std::string path) : m_path(std::move(path)) {
  if (m_path.empty()) return;
  const core::Fd fd(
      ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!fd) fail(m_path, errno);
  const std::string text = std::to_string(::getpid()) + '\n';
  struct stat info {};
  if (::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::fstat(fd.get(), &info) != 0) {
    fail(m_path, errno);
  }
  m_device = info.st_dev;
  m_inode = info.st_ino;
}

void PidFile::remove() noexcept {
  struct stat info {};
  const std::string path = std::exchange(m_path, {});
  if (path.empty() || ::lstat(path.c_str(), &info) != 0) return;
  if (info.st_dev == m_device && info.st_ino == m_inode) ::unlink(path.c_str());
}

}  // namespace sluice::app
