// SPDX-License-Identifier: Apache-2.0
#include "usage.hpp"

#include "core/base/clock.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string_view>
#include <time.h>

namespace sluice::bench {

namespace {

constexpr std::string_view k_io_prefix = "ZMQbg/IO";

std::int64_t read_clock(clockid_t clock) noexcept {
  timespec t{};
  if (clock_gettime(clock, &t) != 0) return 0;
  return t.tv_sec * core::k_second + t.tv_nsec;
}

// The kernel's encoding of "CPU clock of that thread", as pthread_getcpuclockid has it; exact also
// for a thread that is running, unlike /proc's tick counters.
std::int64_t thread_cpu_ns(pid_t thread) noexcept {
  return read_clock(static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3U) | 6U));
}

void read_jiffies(Usage& usage) {
  std::ifstream file("/proc/stat");
  std::string label;
  file >> label;
  for (int field = 0; field < 8; ++field) {
    std::uint64_t value = 0;
    if (!(file >> value)) return;
    usage.machine_jiffies += value;
    if (field == 7) usage.stolen_jiffies = value;
  }
}

double sum(const SyscallTable& table, std::initializer_list<std::string_view> names) {
  double total = 0;
  for (const auto& [name, count] : table) {
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      total += static_cast<double>(count);
    }
  }
  return total;
}

double sum(const SyscallTable& table) {
  double total = 0;
  for (const auto& [name, count] : table) total += static_cast<double>(count);
  return total;
}

double polls(const SyscallTable& t) {
  return sum(t,
             {"poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2"});
}

double writes(const SyscallTable& t) {
  return sum(t, {"write", "writev", "sendto", "sendmsg", "sendmmsg"});
}

}  // namespace

std::vector<pid_t> threads(const std::string& prefix) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    const std::string name = entry.path().filename().string();
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    if (prefix.empty() || thread_name(thread).starts_with(prefix)) found.push_back(thread);
  }
  return found;
}

std::string thread_name(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

Usage read_usage(const std::vector<pid_t>& forwarding_threads) {
  Usage usage;
  for (const pid_t thread : forwarding_threads) usage.forwarding_cpu_ns += thread_cpu_ns(thread);
  for (const pid_t thread : threads(std::string(k_io_prefix))) {
    usage.io_cpu_ns += thread_cpu_ns(thread);
  }
  usage.process_cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID);
  usage.syscalls = syscall_counts();
  read_jiffies(usage);
  return usage;
}

Spent spent(const Usage& before, const Usage& after) {
  Spent out;
  out.forwarding_cpu_ns = static_cast<double>(after.forwarding_cpu_ns - before.forwarding_cpu_ns);
  out.io_cpu_ns = static_cast<double>(after.io_cpu_ns - before.io_cpu_ns);
  out.process_cpu_ns = static_cast<double>(after.process_cpu_ns - before.process_cpu_ns);
  const auto jiffies = after.machine_jiffies - before.machine_jiffies;
  if (jiffies != 0) {
    out.steal_percent = 100.0 * static_cast<double>(after.stolen_jiffies - before.stolen_jiffies) /
                        static_cast<double>(jiffies);
  }
  if (before.syscalls && after.syscalls) {
    const auto& b = *before.syscalls;
    const auto& a = *after.syscalls;
    Spent::Calls calls;
    calls.polls = polls(a.forwarding) + polls(a.io) - polls(b.forwarding) - polls(b.io);
    calls.writes = writes(a.forwarding) + writes(a.io) - writes(b.forwarding) - writes(b.io);
    calls.forwarding = sum(a.forwarding) - sum(b.forwarding);
    calls.all = calls.forwarding + sum(a.io) - sum(b.io);
    out.calls = calls;
  }
  return out;
}

}  // namespace sluice::bench
