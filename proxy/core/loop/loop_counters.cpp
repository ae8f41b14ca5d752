// SPDX-License-Identifier: Apache-2.0
#include "core/loop/loop_counters.hpp"

#include "core/base/clock.hpp"

#include <charconv>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace sluice::core {
namespace {

std::uint64_t voluntary_switches_of(pid_t tid) {
  std::ifstream status{"/proc/self/task/" + std::to_string(tid) + "/status"};
  const std::string key = "voluntary_ctxt_switches:";
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(key)) continue;
    std::uint64_t value = 0;
    const auto start = line.find_first_not_of(" \t", key.size());
    if (start == std::string::npos) return 0;
    std::from_chars(line.data() + start, line.data() + line.size(), value);
    return value;
  }
  return 0;
}

std::uint64_t cpu_ns_of(clockid_t clock) noexcept {
  timespec t{};
  if (clock_gettime(clock, &t) != 0) return 0;
  return static_cast<std::uint64_t>(t.tv_sec * k_second + t.tv_nsec);
}

}  // namespace

Statistics LoopCounters::read() const noexcept {
  Statistics s;
  s.frontend = frontend.read();
  s.backend = backend.read();
  s.loop.wakes = wakes.get();
  s.loop.bursts = bursts.get();
  s.loop.holds = holds.get();
  s.loop.holds_cut = holds_cut.get();
  s.loop.looks = looks.get();
  s.loop.worst_turn_us = worst_turn_ns.get() / static_cast<std::uint64_t>(k_microsecond);
  s.loop.turns = turns.read();
  s.tap_dropped_messages = tap_dropped_messages.get();
  s.upstream_dropped_messages = upstream_dropped_messages.get();
  s.topics_refused = topics_refused.get();
  s.unroutable_messages = unroutable_messages.get();
  s.backpressure_ns = backpressure_ns.get();
  return s;
}

void ThreadUsage::begin() noexcept {
  clockid_t clock{};
  if (pthread_getcpuclockid(pthread_self(), &clock) == 0) m_clock.store(clock);
  m_tid.store(::gettid());
}

void ThreadUsage::end() noexcept {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  m_tid.store(0);
  m_cpu_ns.add(cpu_ns_of(CLOCK_THREAD_CPUTIME_ID));
  m_voluntary_switches.add(static_cast<std::uint64_t>(usage.ru_nvcsw));
}

void ThreadUsage::add_to(LoopStatistics& statistics) const noexcept {
  statistics.cpu_ns = m_cpu_ns.get();
  statistics.voluntary_switches = m_voluntary_switches.get();
  const pid_t tid = m_tid.load();
  if (tid == 0) return;
  statistics.cpu_ns += cpu_ns_of(m_clock.load());
  statistics.voluntary_switches += voluntary_switches_of(tid);
}

}  // namespace sluice::core
