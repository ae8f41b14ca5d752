// SPDX-License-Identifier: Apache-2.0
#include "app/sidecar/steering.hpp"

#include "config/text.hpp"
#include "core/control/status_json.hpp"

#include <algorithm>

namespace sluice::app {
namespace {

using core::Outcome;
using std::chrono::milliseconds;

constexpr milliseconds k_answer_within{1000};

Outcome needs_remote(std::string_view endpoint) {
  if (endpoint.substr(0, 6) == "tcp://" || endpoint.substr(0, 6) == "ipc://")
    return Outcome::done();
  return Outcome::refused("an endpoint here is tcp:// or ipc://");
}

const char* to_text(AttachResult result) noexcept {
  switch (result) {
    case AttachResult::connected:
      return "connected";
    case AttachResult::waiting:
      return "waiting";
    case AttachResult::present:
      break;
  }
  return "present";
}

}  // namespace

Steering::Steering(RouteSet& routes, Feeds& feeds, LiveSettings& settings, Log& log)
    : m_routes(routes), m_feeds(feeds), m_settings(settings), m_log(log) {}

Outcome Steering::no_route(std::string_view name) const {
  std::vector<std::string_view> names;
  const auto routes = m_routes.routes();
  for (const auto& route : routes) names.emplace_back(route->options().name);
  return Outcome::refused("no route " + std::string(name) + config::did_you_mean(name, names));
}

template <typename Order>
Outcome Steering::each(std::string_view name, Order order) {
  if (!name.empty()) {
    const auto route = m_routes.find(name);
    if (route == nullptr) return no_route(name);
    if (route->state() == RouteState::stopped) {
      return Outcome::refused("route " + std::string(name) + " has stopped");
    }
    order(*route);
    return Outcome::done();
  }
  for (const auto& route : m_routes.routes()) {
    if (route->state() != RouteState::stopped) order(*route);
  }
  return Outcome::done();
}

Outcome Steering::pause(std::string_view route) {
  Outcome outcome = each(route, [this](Route& r) {
    r.pause();
    m_log.write(Severity::info, "paused", r.options().name);
  });
  m_changed();
  return outcome;
}

Outcome Steering::resume(std::string_view route) {
  Outcome outcome = each(route, [this](Route& r) {
    r.resume();
    m_log.write(Severity::info, "resumed", r.options().name);
  });
  m_changed();
  return outcome;
}

Outcome Steering::terminate(std::string_view route) {
  return each(route, [this](Route& r) {
    m_feeds.request_stop(r.options().name);
    r.request_stop();
  });
}

Outcome Steering::drain(std::string_view route) {
  return each(route, [this](Route& r) {
    m_feeds.request_stop(r.options().name);
    r.request_drain();
  });
}

core::StatisticsValues Steering::statistics() {
  core::StatisticsValues sum{};
  for (const auto& route : m_routes.routes()) {
    const Statistics s = route->statistics();
    const core::StatisticsValues one{s.frontend.received_messages, s.frontend.received_bytes,
                                     s.frontend.sent_messages,     s.frontend.sent_bytes,
                                     s.backend.received_messages,  s.backend.received_bytes,
                                     s.backend.sent_messages,      s.backend.sent_bytes};
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
  }
  return sum;
}

Outcome Steering::status() {
  core::ProcessStatus status;
  status.uptime =
      std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - m_since);
  for (const auto& route : m_routes.routes()) status.routes.push_back(route->status());
  status.reload = m_settings.reloads();
  status.syscalls = syscall_counts();
  return Outcome::done(core::status_json(status));
}

Outcome Steering::attach(std::string_view name, std::string_view endpoint) {
  const auto route = m_routes.find(name);
  if (route == nullptr) return no_route(name);
  if (Outcome outcome = needs_remote(endpoint); !outcome.ok()) return outcome;
  return Outcome::done(to_text(route->attach(std::string(endpoint))));
}

Outcome Steering::detach(std::string_view name, std::string_view endpoint) {
  const auto route = m_routes.find(name);
  if (route == nullptr) return no_route(name);
  if (route->detach(std::string(endpoint)) == DetachResult::detached) {
    return Outcome::done("detached");
  }
  return Outcome::refused("unknown endpoint " + std::string(endpoint) + ": not attached");
}

Outcome Steering::ping() {
  const auto deadline = std::chrono::steady_clock::now() + k_answer_within;
  for (const auto& route : m_routes.routes()) {
    if (route->state() == RouteState::stopped) continue;
    const auto left =
        std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (!route->ping(std::max(left, milliseconds{1})) && route->state() != RouteState::stopped) {
      return Outcome::refused("route " + route->options().name + " does not answer");
    }
  }
  return Outcome::done();
}

}  // namespace sluice::app
