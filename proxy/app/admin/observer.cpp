// SPDX-License-Identifier: Apache-2.0
#include "app/admin/observer.hpp"

#include <sluice/route.hpp>

#include <utility>

namespace sluice::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds k_wake_interval{1000};
/// An answer that took longer is not asked for again for `k_rest`.
constexpr milliseconds k_slow{500};
constexpr milliseconds k_rest{3000};

}  // namespace

std::vector<RouteStatus> Observer::routes(milliseconds age) {
  std::vector<RouteStatus> all;
  std::map<std::string, Copy> kept;
  for (const auto& route : m_routes.routes()) {
    Copy copy = std::move(m_copies[route->options().name]);
    const auto begin = Clock::now();
    if (begin >= copy.next && begin - copy.taken >= age) {
      copy.status = route->status();
      copy.taken = Clock::now();
      if (copy.taken - begin > k_slow) copy.next = copy.taken + k_rest;
    } else {
      copy.status.tuning = route->tuning();
      copy.status.state = route->state();
      copy.status.reason = route->reason();
      copy.status.statistics = route->statistics();
    }
    all.push_back(copy.status);
    kept[route->options().name] = std::move(copy);
  }
  m_copies = std::move(kept);
  return all;
}

const core::Outcome& Observer::health() {
  const auto now = Clock::now();
  if (now >= m_health_due) {
    m_health = m_steering.ping();
    m_health_due = Clock::now() + k_wake_interval;
  }
  return m_health;
}

std::string Observer::not_ready(bool paused_is_ready) const {
  for (const auto& route : m_routes.routes()) {
    const RouteState state = route->state();
    if (state == RouteState::running || (state == RouteState::paused && paused_is_ready)) continue;
    return "route " + route->options().name + " is " + to_string(state);
  }
  return {};
}

}  // namespace sluice::app
