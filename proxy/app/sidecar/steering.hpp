// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/feed/feeds.hpp"
#include "app/log/log.hpp"
#include "app/routes/route_set.hpp"
#include "app/settings/live_settings.hpp"
#include "core/control/steerable.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::app {

/// The sidecar's answer to commands: calls on its routes. Thread-safe as they are; used by the
/// control thread and, for signals, by main.
class Steering final : public core::Steerable {
 public:
  Steering(RouteSet& routes, Feeds& feeds, LiveSettings& settings, Log& log);

  /// Called when a route was paused or resumed. Before there is a second thread.
  void on_change(std::function<void()> changed) { m_changed = std::move(changed); }

  core::Outcome pause(std::string_view route) override;
  core::Outcome resume(std::string_view route) override;
  core::Outcome terminate(std::string_view route) override;
  core::Outcome drain(std::string_view route) override;
  core::StatisticsValues statistics() override;
  core::Outcome status() override;
  core::Outcome get(std::string_view key) override { return m_settings.get(key); }
  core::Outcome set(std::string_view key, std::string_view value) override {
    return m_settings.set(key, value);
  }
  core::Outcome attach(std::string_view route, std::string_view endpoint) override;
  core::Outcome detach(std::string_view route, std::string_view endpoint) override;
  core::Outcome reload() override { return m_settings.reload(); }
  core::Outcome ping() override;

 private:
  /// Calls `order` for the named route, or for all that have not stopped.
  template <typename Order>
  core::Outcome each(std::string_view route, Order order);
  [[nodiscard]] core::Outcome no_route(std::string_view name) const;

  RouteSet& m_routes;
  Feeds& m_feeds;
  LiveSettings& m_settings;
  Log& m_log;
  std::function<void()> m_changed = [] {};
  std::chrono::steady_clock::time_point m_since = std::chrono::steady_clock::now();
};

}  // namespace sluice::app
