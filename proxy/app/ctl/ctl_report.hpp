// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sluice::app {

/// What passed between two answers to STATUS, and since the start.
struct RouteStats {
  std::string name;
  std::string state;
  std::uint64_t messages = 0;  ///< frontend received, since the start
  std::uint64_t bytes = 0;
  double messages_per_s = 0;
  double bytes_per_s = 0;
  std::optional<double> cpu_ns_per_message;
  double cpu_share = 0;  ///< of one core
  std::uint64_t dropped = 0;
};

struct CallStats {
  std::uint64_t total = 0;
  double per_s = 0;
  std::optional<double> per_message;
};

struct StatsReport {
  double seconds = 0;
  /// Whether figures per message are of the interval; of the whole run where nothing passed in it.
  bool of_interval = true;
  std::vector<RouteStats> routes;
  /// By thread kind, then by call; nothing without the counter.
  std::optional<std::map<std::string, std::map<std::string, CallStats>>> calls;
};

// All pure; they throw std::runtime_error for a text that is no STATUS.
[[nodiscard]] StatsReport make_stats(const std::string& before, const std::string& after);
[[nodiscard]] std::string stats_text(const StatsReport& report);
[[nodiscard]] std::string stats_json(const StatsReport& report);
[[nodiscard]] std::string status_report(const std::string& status);
[[nodiscard]] bool has_stopped(const std::string& status, const std::string& route);

/// {"<key>": "<text>"} with a line end.
[[nodiscard]] std::string result_json(const std::string& key, const std::string& text);

}  // namespace sluice::app
