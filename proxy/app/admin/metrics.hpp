// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/admin/http_server.hpp"
#include "app/admin/process_figures.hpp"
#include "config/loaded.hpp"
#include "core/base/latency_histogram.hpp"

#include <sluice/statistics.hpp>
#include <sluice/syscalls.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::app {

/// How often a command was carried out or refused, on the control socket and over HTTP together.
struct CommandFigures {
  struct Row {
    std::string command;  ///< "pause"
    std::uint64_t done = 0;
    std::uint64_t refused = 0;
  };
  std::vector<Row> rows;
  std::uint64_t rejected = 0;  ///< input that was no command
  TimeCounts seconds{};
};

struct ReloadFigures {
  bool last_successful = true;   ///< the start counts
  double last_success_time = 0;  ///< seconds since 1970
  std::uint64_t successes = 0;
  std::uint64_t failures = 0;
};

/// Everything that /metrics shows.
struct MetricsInput {
  std::string version;
  std::string revision;
  std::string libzmq;
  std::vector<RouteStatus> routes;
  std::optional<SyscallCounts> syscalls;  ///< no counter, no figures
  CommandFigures commands;
  ReloadFigures reload;
  std::string settings;  ///< of `setting_metrics_text`
  HttpFigures http;
  ProcessFigures process;
  double other_cpu_seconds = 0;  ///< of threads that neither forward nor do libzmq's I/O
};

/// The Prometheus text format. Pure.
[[nodiscard]] std::string metrics_text(const MetricsInput& input);
/// The part that shows the settings in force: apart, since it hardly ever changes.
[[nodiscard]] std::string setting_metrics_text(const std::vector<config::Section>& sections);
inline constexpr const char* k_metrics_type = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace sluice::app
