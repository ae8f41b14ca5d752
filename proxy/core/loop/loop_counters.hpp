// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/counter.hpp"
#include "core/base/latency_histogram.hpp"

#include <sluice/statistics.hpp>

#include <atomic>
#include <pthread.h>
#include <sys/types.h>

namespace sluice::core {

/// The counters of one side, see SideStatistics.
struct SideCounters {
  Counter received_messages;
  Counter received_bytes;
  Counter sent_messages;
  Counter sent_bytes;

  [[nodiscard]] SideStatistics read() const noexcept {
    return {received_messages.get(), received_bytes.get(), sent_messages.get(), sent_bytes.get()};
  }
};

/// Everything a loop counts. Written by the loop's thread alone, read by any. Outlives the loop.
struct LoopCounters {
  SideCounters frontend;
  SideCounters backend;
  Counter wakes;
  Counter bursts;
  Counter holds;
  Counter holds_cut;
  Counter looks;
  Counter worst_turn_ns;
  LatencyHistogram turns;
  Counter tap_dropped_messages;
  Counter upstream_dropped_messages;
  Counter topics_refused;
  Counter unroutable_messages;
  Counter backpressure_ns;
  std::atomic<RouteState> state{RouteState::starting};

  [[nodiscard]] Statistics read() const noexcept;
};

/// CPU time and voluntary switches of one thread, readable by any other while it lives and kept
/// after it has ended.
class ThreadUsage {
 public:
  /// On the thread itself: its beginning and end.
  void begin() noexcept;
  void end() noexcept;
  void add_to(LoopStatistics& statistics) const noexcept;

 private:
  std::atomic<pid_t> m_tid{0};
  std::atomic<clockid_t> m_clock{0};
  Counter m_cpu_ns;  // of ended runs
  Counter m_voluntary_switches;
};

}  // namespace sluice::core
