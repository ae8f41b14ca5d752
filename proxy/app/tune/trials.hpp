// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/tune/child.hpp"
#include "measure/histogram.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

namespace sluice::app::tune {

/// What a setting came to at the workload, once.
struct AtWorkload {
  double cpu_ns = 0;  ///< of the whole sidecar, for each message
  std::optional<double> calls;
  double p50_us = 0;
  double p99_us = 0;
  double lateness_us = 0;  ///< p99 of how late the publishers themselves sent
};

/// What a setting came to in a flood, once.
struct InFlood {
  double messages_per_s = 0;
  double cpu_ns = 0;
  double command_p50_us = 0;
  double command_p99_us = 0;
};

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Measures settings, one at a time, on a sidecar of its own for each engine. Used by one thread.
class Trials {
 public:
  /// `go_on` is asked ten times a second.
  Trials(const Workload& workload, const RouteOptions& like, std::function<bool()> go_on);

  // Both throw Interrupted, and std::runtime_error when a sidecar or its load fails or loses.
  [[nodiscard]] AtWorkload at_workload(const Knobs& knobs, core::Nanoseconds time);
  [[nodiscard]] InFlood in_flood(const Knobs& knobs, core::Nanoseconds time);

 private:
  struct Window {
    double seconds = 0;
    double messages = 0;
    double cpu_ns = 0;  // in all
    std::optional<double> calls;
    measure::Histogram latency;
    measure::Histogram lateness;
  };
  Child& child(Engine engine);
  Window run(Child& child, std::uint64_t rate, core::Nanoseconds time);

  Workload m_workload;
  RouteOptions m_like;
  std::function<bool()> m_go_on;
  Scratch m_scratch;
  std::map<Engine, std::unique_ptr<Child>> m_children;
  unsigned m_runs = 0;
};

}  // namespace sluice::app::tune
