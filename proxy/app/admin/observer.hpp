// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/routes/route_set.hpp"
#include "core/control/steerable.hpp"

#include <sluice/statistics.hpp>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace sluice::app {

/// What the admin server asks the routes, and how often: counters are read where they are, whatever
/// only the loop knows is copied by it at most once a second for metrics and 10 times a second for
/// the API, and a wake is sent at most once a second. A loop that did not answer in time is not
/// asked again at once. One thread.
class Observer {
 public:
  using Clock = std::chrono::steady_clock;

  Observer(const RouteSet& routes, core::Steerable& steering)
      : m_routes(routes), m_steering(steering) {}

  /// Each route, with what only its loop knows at most `age` old, where the loop answers.
  [[nodiscard]] std::vector<RouteStatus> routes(std::chrono::milliseconds age);
  /// Whether every loop has answered a wake within 1 s; the text names one that has not.
  [[nodiscard]] const core::Outcome& health();
  /// Why it is not ready; empty when it is.
  [[nodiscard]] std::string not_ready(bool paused_is_ready) const;

 private:
  struct Copy {
    RouteStatus status;
    Clock::time_point next{};  ///< not asked again before
    Clock::time_point taken{};
  };

  const RouteSet& m_routes;
  core::Steerable& m_steering;
  std::map<std::string, Copy> m_copies;
  core::Outcome m_health = core::Outcome::done();
  Clock::time_point m_health_due{};
};

}  // namespace sluice::app
