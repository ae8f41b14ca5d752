// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::app::top {

struct SinkSample {
  std::string name;
  std::string engine;
  std::string on_full;
  std::uint64_t peers = 0;
  std::uint64_t subscriptions = 0;
  std::optional<std::uint64_t> dropped;    ///< nothing where the engine does not know
  std::optional<std::uint64_t> delivered;  ///< as above
  std::uint64_t queued = 0;                ///< messages, in the longest queue of a subscriber
  std::uint64_t oldest_us = 0;             ///< what has waited longest
};

/// What a route has done; of counters that only grow.
struct Totals {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t cpu_ns = 0;
  std::uint64_t wakes = 0;
  std::uint64_t bursts = 0;
  std::uint64_t holds = 0;

  Totals& operator+=(const Totals& other) noexcept;
};

struct RouteSample : Totals {
  std::string name;
  std::string state;
  /// What is in force, as people write it: {"coalesce_delay", "1ms"}, {"edge.on_full", "drop"}.
  std::vector<std::pair<std::string, std::string>> settings;
  std::uint64_t holds_cut = 0;
  std::uint64_t worst_turn_us = 0;
  std::uint64_t sources = 0;
  std::uint64_t waiting_sources = 0;
  std::vector<SinkSample> sinks;

  [[nodiscard]] std::uint64_t peers() const noexcept;
  [[nodiscard]] std::uint64_t dropped() const noexcept;
};

/// One answer to STATUS; a plain value.
struct Sample {
  std::string version;
  std::uint64_t pid = 0;
  double uptime_s = 0;
  std::vector<RouteSample> routes;
  std::optional<std::uint64_t> calls;  ///< of the forwarding and I/O threads; none = not counted

  [[nodiscard]] const RouteSample* find(const std::string& route) const noexcept;
  [[nodiscard]] std::uint64_t messages() const noexcept;
};

/// Throws std::runtime_error for a text that is no STATUS.
[[nodiscard]] Sample read_sample(const std::string& status);

}  // namespace sluice::app::top
