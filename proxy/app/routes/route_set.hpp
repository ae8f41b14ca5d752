// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/log/log.hpp"
#include "app/process/event_fd.hpp"
#include "config/loaded.hpp"

#include <sluice/route.hpp>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sluice::app {

/// The routes of the process. Made, started and destroyed by the main thread; the rest may be used
/// by any. A route that `remove_missing` took out leaves in its own time.
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

  using RoutePtr = std::shared_ptr<Route>;
  /// Null where there is none.
  [[nodiscard]] RoutePtr find(std::string_view name) const;
  [[nodiscard]] std::vector<RoutePtr> routes() const;
  /// Raised whenever a route has stopped.
  [[nodiscard]] EventFd& stopped_event() noexcept { return m_stopped; }
  /// Those that leave included.
  [[nodiscard]] bool all_stopped() const;
  /// Why a route stopped that nobody had asked to; empty if none did.
  [[nodiscard]] std::string failure() const;
  /// From then on no route is added.
  void request_drain();
  [[nodiscard]] std::chrono::milliseconds longest_linger() const;

  /// Makes the routes that are in `config` what it says and adds those that are new. Throws what a
  /// route refuses: that route is as it was, others may have changed, and another `apply` with the
  /// former configuration undoes that. An endpoint may go from one route to another: who gives it
  /// changes before who takes it, and a route that leaves and holds one is drained first. One at a
  /// time.
  void apply(const config::LoadedConfig& config);
  /// Drains and drops the routes that are not in `config`. One at a time.
  void remove_missing(const config::LoadedConfig& config);

  /// The endpoints of each route, as `endpoints` gives them.
  [[nodiscard]] std::string describe() const;
  void log_totals() const;

 private:
  struct Entry {
    RoutePtr route;
    RouteOptions options;  ///< in force
  };

  struct Change {
    std::vector<Entry> changed;  ///< with the options to come
    std::vector<Entry> added;
    [[nodiscard]] std::vector<RouteOptions> after() const;
  };

  struct Watcher {
    RoutePtr route;
    std::thread thread;
  };

  [[nodiscard]] Entry make(const RouteOptions& plain, const config::LoadedConfig& config) const;
  [[nodiscard]] std::vector<Entry> entries() const;
  [[nodiscard]] RouteOptions current(std::string_view name) const;
  [[nodiscard]] Change change_to(const config::LoadedConfig& config) const;
  void bring_to(const Entry& entry, bool must_wait) const;
  void remember(const RouteOptions& options);
  void admit(std::vector<Entry> added);
  [[nodiscard]] std::vector<RouteOptions> options_in_force() const;
  template <typename Stays>
  std::vector<Entry> take_out(Stays stays);
  void let_go(const std::vector<std::string>& names);
  void join_watchers();
  void watch(const RoutePtr& route);
  void on_stopped(const RoutePtr& route);
  void log_total(const Route& route) const;

  zmq::context_t& m_context;
  Log& m_log;
  EventFd m_stopped;
  bool m_undoing = false;      // of `apply`
  mutable std::mutex m_mutex;  // all below
  bool m_stopping = false;
  bool m_between = false;  // some have left, for others that have not come yet
  std::vector<Entry> m_routes;
  std::vector<Entry> m_leaving;
  std::vector<Watcher> m_watchers;
};

}  // namespace sluice::app
