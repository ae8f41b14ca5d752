// SPDX-License-Identifier: Apache-2.0
#include "app/routes/route_set.hpp"

#include "app/feed/feeds.hpp"
#include "app/routes/route_order.hpp"
#include "core/route/route_change.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <pthread.h>
#include <stdexcept>
#include <utility>

namespace sluice::app {
namespace {

constexpr std::chrono::milliseconds k_watch_interval = std::chrono::hours(1);
// An address is free a moment after it was given up.
constexpr std::chrono::seconds k_patience{2};
constexpr std::chrono::milliseconds k_pause{2};

template <typename Try>
void until_free(Try attempt) {
  const auto deadline = std::chrono::steady_clock::now() + k_patience;
  for (;;) {
    try {
      return attempt();
    } catch (const EndpointError& e) {
      if (e.error() != EADDRINUSE || std::chrono::steady_clock::now() >= deadline) throw;
    }
    std::this_thread::sleep_for(k_pause);
  }
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_orderly(const std::string& reason) {
  return reason == "terminated" || reason == "drained";
}

template <typename T>
bool has_name(const std::vector<T>& items, const std::string& name) {
  return std::any_of(items.begin(), items.end(), [&](const T& item) { return item.name == name; });
}

std::string totals(const Statistics& s, const std::vector<SinkStatus>& sinks) {
  std::string text = std::to_string(s.frontend.received_messages) + " messages (" +
                     std::to_string(s.frontend.received_bytes) + " bytes) received, " +
                     std::to_string(s.backend.sent_messages) + " (" +
                     std::to_string(s.backend.sent_bytes) + " bytes) sent";
  for (const SinkStatus& sink : sinks) {
    if (!sink.dropped_messages) continue;
    text += ", " + std::to_string(*sink.dropped_messages) + " dropped by sink " + sink.name;
  }
  return text;
}

// Of what is not a knob.
bool differs(const RouteOptions& before, const RouteOptions& after) {
  return before.linger != after.linger || !core::difference(before, after).empty();
}

}  // namespace

RouteOptions with_feeds(RouteOptions options, const config::LoadedConfig& config) {
  for (Feed& from : feeds_of(config, options.name)) {
    SourceOptions feed;
    feed.name = from.name;
    for (int i = 2; has_name(options.sources, feed.name); ++i) {
      feed.name = from.name.substr(0, 29) + '-' + std::to_string(i);
    }
    feed.bind = {std::move(from.endpoint)};
    options.sources.push_back(std::move(feed));
  }
  return options;
}

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

void RouteSet::apply(const config::LoadedConfig& config) {
  // What an apply that failed had opened is free a moment later.
  const bool patient = std::exchange(m_undoing, true);
  std::vector<Entry> added;
  std::vector<Entry> changed;
  for (const RouteOptions& plain : config.routes) {
    const RoutePtr route = find(plain.name);
    if (route == nullptr) {
      added.push_back(make(plain, config));
    } else if (route->state() != RouteState::stopped) {
      changed.push_back({route, with_feeds(plain, config)});
    }
  }
  const bool all_steady = std::none_of(changed.begin(), changed.end(), [](const Entry& entry) {
    return entry.route->state() == RouteState::draining;
  });
  if (!added.empty() && !all_steady) {
    throw std::runtime_error("no route is added while others are draining");
  }
  std::vector<RouteOptions> after;
  for (const Entry& entry : changed) after.push_back(entry.options);
  for (const Entry& entry : added) after.push_back(entry.options);
  const RouteOrder plan = route_order(options_in_force(), after);
  let_go(plan.leave_first);
  std::sort(changed.begin(), changed.end(), [&order = plan.order](const Entry& a, const Entry& b) {
    return std::find(order.begin(), order.end(), a.options.name) <
           std::find(order.begin(), order.end(), b.options.name);
  });
  for (const Entry& entry : changed) {
    // The knobs turn to the end, also while the route drains.
    if (!differs(current(entry.options.name), entry.options)) {
      if (entry.route->tuning() != entry.options.tuning) entry.route->set(entry.options.tuning);
    } else if (patient || has(plan.takers, entry.options.name)) {
      until_free([&entry] { entry.route->reconfigure(entry.options); });
    } else {
      entry.route->reconfigure(entry.options);
    }
    remember(entry.options);
  }
  for (const Entry& entry : added) {
    if (patient || has(plan.takers, entry.options.name)) {
      until_free([&entry] { entry.route->start(); });
    } else {
      entry.route->start();
    }
  }
  admit(std::move(added));
  m_undoing = false;
}

// Of those that have endpoints open.
std::vector<RouteOptions> RouteSet::options_in_force() const {
  const std::lock_guard lock(m_mutex);
  std::vector<RouteOptions> all;
  for (const Entry& entry : m_routes) {
    if (entry.route->state() != RouteState::stopped) all.push_back(entry.options);
  }
  return all;
}

// They are drained, and have given up their endpoints.
void RouteSet::let_go(const std::vector<std::string>& names) {
  if (names.empty()) return;
  {
    const std::lock_guard lock(m_mutex);
    m_between = true;
  }
  const auto leaving =
      take_out([&names](const Entry& entry) { return !has(names, entry.options.name); });
  for (const Entry& entry : leaving) entry.route->request_drain();
  for (const Entry& entry : leaving) entry.route->wait_stopped(entry.options.linger + k_patience);
}

RouteOptions RouteSet::current(std::string_view name) const {
  const std::lock_guard lock(m_mutex);
  for (const Entry& entry : m_routes) {
    if (entry.options.name == name) return entry.options;
  }
  return {};
}

void RouteSet::remember(const RouteOptions& options) {
  const std::lock_guard lock(m_mutex);
  for (Entry& entry : m_routes) {
    if (entry.options.name == options.name) entry.options = options;
  }
}

void RouteSet::admit(std::vector<Entry> added) {
  const std::lock_guard lock(m_mutex);
  if (!added.empty() && m_stopping) throw std::runtime_error("the proxy is stopping");
  for (Entry& entry : added) {
    watch(entry.route);
    m_routes.push_back(std::move(entry));
  }
  m_between = false;
  m_stopped.raise();
}

// Of the routes that have left, which end by themselves.
void RouteSet::join_watchers() {
  std::vector<Watcher> ended;
  {
    const std::lock_guard lock(m_mutex);
    const auto lives = [this](const Watcher& watcher) {
      const auto is_it = [&](const Entry& entry) { return entry.route == watcher.route; };
      return std::any_of(m_routes.begin(), m_routes.end(), is_it) ||
             std::any_of(m_leaving.begin(), m_leaving.end(), is_it);
    };
    const auto first = std::stable_partition(m_watchers.begin(), m_watchers.end(), lives);
    std::move(first, m_watchers.end(), std::back_inserter(ended));
    m_watchers.erase(first, m_watchers.end());
  }
  for (Watcher& watcher : ended) watcher.thread.join();
}

template <typename Stays>
std::vector<RouteSet::Entry> RouteSet::take_out(Stays stays) {
  const std::lock_guard lock(m_mutex);
  const auto first = std::stable_partition(m_routes.begin(), m_routes.end(), stays);
  const std::vector<Entry> leaving(first, m_routes.end());
  m_leaving.insert(m_leaving.end(), first, m_routes.end());
  m_routes.erase(first, m_routes.end());
  return leaving;
}

void RouteSet::remove_missing(const config::LoadedConfig& config) {
  const auto leaving = take_out(
      [&config](const Entry& entry) { return has_name(config.routes, entry.options.name); });
  join_watchers();
  for (const Entry& entry : leaving) entry.route->request_drain();
}

std::string RouteSet::describe() const {
  std::string out;
  for (const auto& route : routes()) {
    const RouteStatus status = route->status();
    if (!out.empty()) out += "; ";
    out += "route " + status.name + " [";
    for (const SourceStatus& source : status.sources) {
      out += "source " + source.name + ' ' + source.endpoint + ", ";
    }
    for (const SinkStatus& sink : status.sinks) {
      out += "sink " + sink.name;
      for (const std::string& endpoint : sink.endpoints) out += ' ' + endpoint;
      out += ", ";
    }
    if (out.back() == ' ') out.resize(out.size() - 2);
    out += ']';
  }
  return out;
}

void RouteSet::log_totals() const {
  for (const RoutePtr& route : routes()) log_total(*route);
}

void RouteSet::log_total(const Route& route) const {
  const std::string reason = route.reason();
  const std::string text =
      "stopped (" + reason + "): " + totals(route.statistics(), route.status().sinks);
  m_log.write(is_orderly(reason) ? Severity::info : Severity::error, text, route.options().name);
}

}  // namespace sluice::app
