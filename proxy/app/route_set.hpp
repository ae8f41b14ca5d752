// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/event_fd.hpp"
#include "app/log.hpp"
#include "config/loaded.hpp"

#include <sluice/route.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sluice::app {

/// The routes of the process. Made, started and destroyed by the main thread; the routes
/// themselves may be used by any.
class RouteSet {
 public:
  /// Validates; opens nothing. Throws ConfigError.
  RouteSet(zmq::context_t& context, const config::LoadedConfig& config, Log& log);
  /// Stops what still runs.
  ~RouteSet();
  RouteSet(const RouteSet&) = delete;
  RouteSet& operator=(const RouteSet&) = delete;

  /// All or nothing. Throws EndpointError.
  void start();

  /// Null where there is none.
  [[nodiscard]] Route* find(std::string_view name) noexcept;
  [[nodiscard]] const std::vector<std::unique_ptr<Route>>& routes() const noexcept {
    return m_routes;
  }
  /// Raised whenever a route has stopped.
  [[nodiscard]] EventFd& stopped_event() noexcept { return m_stopped; }
  [[nodiscard]] bool all_stopped() const noexcept;
  /// Why a route stopped that nobody had asked to; empty if none did.
  [[nodiscard]] std::string failure() const;
  void request_drain();
  [[nodiscard]] std::chrono::milliseconds longest_linger() const noexcept;

  /// Makes the live values of `config` true: knobs and policies. Throws when a route refuses one.
  void apply(const config::LoadedConfig& config);

  /// "market (sources ...; sinks ...)" for each.
  [[nodiscard]] std::string describe() const;
  void log_totals() const;

 private:
  void watch(const Route& route) noexcept;

  Log& m_log;
  EventFd m_stopped;
  std::vector<std::unique_ptr<Route>> m_routes;
  std::vector<std::thread> m_watchers;
};

/// The options of a route as the sidecar runs it: with an inproc source for each of its feeds.
[[nodiscard]] RouteOptions with_feeds(RouteOptions options, const config::LoadedConfig& config);

}  // namespace sluice::app
