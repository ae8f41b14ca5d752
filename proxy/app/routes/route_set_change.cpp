// SPDX-License-Identifier: Apache-2.0
// How a running set becomes what another configuration says.
#include "app/feed/feeds.hpp"
#include "app/routes/route_order.hpp"
#include "app/routes/route_set.hpp"
#include "core/route/route_change.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace sluice::app {
namespace {

// An address is free a moment after it was given up.
constexpr std::chrono::seconds k_patience{2};
constexpr std::chrono::milliseconds k_pause{2};

// Tries again while an address is taken, if `must_wait`. Throws what the last attempt threw.
template <typename Try>
void until_free(bool must_wait, Try attempt) {
  const auto deadline = std::chrono::steady_clock::now() + k_patience;
  for (;;) {
    try {
      return attempt();
    } catch (const EndpointError& e) {
      const bool late = std::chrono::steady_clock::now() >= deadline;
      if (!must_wait || late || e.error() != EADDRINUSE) throw;
    }
    std::this_thread::sleep_for(k_pause);
  }
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Of what is not a knob.
bool differs(const RouteOptions& before, const RouteOptions& after) {
  return before.linger != after.linger || !core::difference(before, after).empty();
}

}  // namespace

void RouteSet::apply(const config::LoadedConfig& config) {
  // What an apply that failed had opened is free a moment later.
  const bool patient = std::exchange(m_undoing, true);
  Change change = change_to(config);
  const RouteOrder plan = route_order(options_in_force(), change.after());
  const auto must_wait = [&](const Entry& entry) {
    return patient || has(plan.takers, entry.options.name);
  };
  let_go(plan.leave_first);
  std::sort(change.changed.begin(), change.changed.end(),
            [&order = plan.order](const Entry& a, const Entry& b) {
              return std::find(order.begin(), order.end(), a.options.name) <
                     std::find(order.begin(), order.end(), b.options.name);
            });
  for (const Entry& entry : change.changed) {
    bring_to(entry, must_wait(entry));
    remember(entry.options);
  }
  for (const Entry& entry : change.added) {
    until_free(must_wait(entry), [&entry] { entry.route->start(); });
  }
  admit(std::move(change.added));
  m_undoing = false;
}

// What `config` has, sorted by what is to be done. Routes that have stopped by themselves stay so.
RouteSet::Change RouteSet::change_to(const config::LoadedConfig& config) const {
  Change change;
  for (const RouteOptions& plain : config.routes) {
    const RoutePtr route = find(plain.name);
    if (route == nullptr) {
      change.added.push_back(make(plain, config));
    } else if (route->state() != RouteState::stopped) {
      change.changed.push_back({route, with_feeds(plain, config)});
    }
  }
  const bool all_steady =
      std::none_of(change.changed.begin(), change.changed.end(),
                   [](const Entry& entry) { return entry.route->state() == RouteState::draining; });
  if (!change.added.empty() && !all_steady) {
    throw std::runtime_error("no route is added while others are draining");
  }
  return change;
}

std::vector<RouteOptions> RouteSet::Change::after() const {
  std::vector<RouteOptions> all;
  for (const Entry& entry : changed) all.push_back(entry.options);
  for (const Entry& entry : added) all.push_back(entry.options);
  return all;
}

// Knobs turn to the end, also while the route drains.
void RouteSet::bring_to(const Entry& entry, bool must_wait) const {
  if (differs(current(entry.options.name), entry.options)) {
    until_free(must_wait, [&entry] { entry.route->reconfigure(entry.options); });
  } else if (entry.route->tuning() != entry.options.tuning) {
    entry.route->set(entry.options.tuning);
  }
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
  const auto leaving = take_out([&config](const Entry& entry) {
    return std::any_of(config.routes.begin(), config.routes.end(),
                       [&](const RouteOptions& r) { return r.name == entry.options.name; });
  });
  join_watchers();
  for (const Entry& entry : leaving) entry.route->request_drain();
}

}  // namespace sluice::app
