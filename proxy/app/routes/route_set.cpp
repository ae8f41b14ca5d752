// SPDX-License-Identifier: Apache-2.0
#include "app/routes/route_set.hpp"

#include "app/feed/feeds.hpp"
#include "app/routes/route_words.hpp"

#include <algorithm>
#include <pthread.h>
#include <utility>

namespace sluice::app {
namespace {

constexpr std::chrono::milliseconds k_watch_interval = std::chrono::hours(1);

}  // namespace

RouteSet::RouteSet(zmq::context_t& context, const config::LoadedConfig& config, Log& log)
    : m_context(context), m_log(log) {
  for (const RouteOptions& plain : config.routes) m_routes.push_back(make(plain, config));
}

RouteSet::~RouteSet() {
  for (const Entry& entry : entries()) entry.route->request_stop();
  for (const Entry& entry : entries()) entry.route->stop(entry.options.linger);
  for (Watcher& watcher : m_watchers) watcher.thread.join();
}

RouteSet::Entry RouteSet::make(const RouteOptions& plain,
                               const config::LoadedConfig& config) const {
  RouteOptions options = with_feeds(plain, config);
  options.on_event = [&log = m_log](const Event& event) {
    log.write(event.severity, event.text, event.route);
  };
  auto route = std::make_shared<Route>(m_context, options);
  return {std::move(route), std::move(options)};
}

void RouteSet::start() {
  std::size_t started = 0;
  try {
    for (; started < m_routes.size(); ++started) m_routes[started].route->start();
  } catch (...) {
    for (std::size_t i = 0; i < started; ++i) {
      m_routes[i].route->stop(m_routes[i].options.linger);
    }
    throw;
  }
  const std::lock_guard lock(m_mutex);
  for (const Entry& entry : m_routes) watch(entry.route);
}

// A thread for each route, which ends with it.
void RouteSet::watch(const RoutePtr& route) {
  std::thread thread([this, route] {
    pthread_setname_np(pthread_self(), "sluice/watch");
    while (!route->wait_stopped(k_watch_interval)) {
    }
    on_stopped(route);
  });
  m_watchers.push_back({route, std::move(thread)});
}

// A route that has left is forgotten; the others are asked why they stopped.
void RouteSet::on_stopped(const RoutePtr& route) {
  bool left = false;
  {
    const std::lock_guard lock(m_mutex);
    left = std::erase_if(m_leaving, [&](const Entry& e) { return e.route == route; }) != 0;
  }
  if (left) log_total(*route);
  m_stopped.raise();
}

std::vector<RouteSet::Entry> RouteSet::entries() const {
  const std::lock_guard lock(m_mutex);
  std::vector<Entry> all = m_routes;
  all.insert(all.end(), m_leaving.begin(), m_leaving.end());
  return all;
}

std::vector<RouteSet::RoutePtr> RouteSet::routes() const {
  const std::lock_guard lock(m_mutex);
  std::vector<RoutePtr> routes;
  for (const Entry& entry : m_routes) routes.push_back(entry.route);
  return routes;
}

RouteSet::RoutePtr RouteSet::find(std::string_view name) const {
  const std::lock_guard lock(m_mutex);
  for (const Entry& entry : m_routes) {
    if (entry.options.name == name) return entry.route;
  }
  return nullptr;
}

bool RouteSet::all_stopped() const {
  const auto all = entries();
  {
    const std::lock_guard lock(m_mutex);
    if (m_between && !m_stopping) return false;
  }
  return std::all_of(all.begin(), all.end(), [](const Entry& entry) {
    return entry.route->state() == RouteState::stopped;
  });
}

std::string RouteSet::failure() const {
  for (const RoutePtr& route : routes()) {
    if (route->state() != RouteState::stopped) continue;
    const std::string reason = route->reason();
    if (!is_orderly(reason)) return "route " + route->options().name + ": " + reason;
  }
  return {};
}

void RouteSet::request_drain() {
  {
    const std::lock_guard lock(m_mutex);
    m_stopping = true;
  }
  for (const Entry& entry : entries()) {
    if (entry.route->state() != RouteState::stopped) entry.route->request_drain();
  }
}

std::chrono::milliseconds RouteSet::longest_linger() const {
  std::chrono::milliseconds longest{0};
  for (const Entry& entry : entries()) longest = std::max(longest, entry.options.linger);
  return longest;
}

std::string RouteSet::describe() const {
  std::string text;
  for (const RoutePtr& route : routes()) {
    if (!text.empty()) text += "; ";
    text += endpoints(*route);
  }
  return text;
}

void RouteSet::log_totals() const {
  for (const RoutePtr& route : routes()) log_total(*route);
}

void RouteSet::log_total(const Route& route) const {
  const std::string reason = route.reason();
  m_log.write(is_orderly(reason) ? Severity::info : Severity::error,
              "stopped (" + reason + "): " + totals(route), route.options().name);
}

}  // namespace sluice::app
