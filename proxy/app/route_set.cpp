// SPDX-License-Identifier: Apache-2.0
#include "app/route_set.hpp"

#include "app/feeds.hpp"

#include <algorithm>
#include <pthread.h>
#include <utility>

namespace sluice::app {
namespace {

constexpr std::chrono::milliseconds k_watch_interval = std::chrono::hours(1);

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
    : m_log(log) {
  for (const RouteOptions& plain : config.routes) {
    RouteOptions options = with_feeds(plain, config);
    options.on_event = [&log](const Event& event) {
      log.write(event.severity, event.text, event.route);
    };
    m_routes.push_back(std::make_unique<Route>(context, std::move(options)));
  }
}

RouteSet::~RouteSet() {
  for (const auto& route : m_routes) route->request_stop();
  for (const auto& route : m_routes) route->stop(route->options().linger);
  for (std::thread& watcher : m_watchers) watcher.join();
}

void RouteSet::start() {
  std::size_t started = 0;
  try {
    for (; started < m_routes.size(); ++started) m_routes[started]->start();
  } catch (...) {
    for (std::size_t i = 0; i < started; ++i) m_routes[i]->stop(m_routes[i]->options().linger);
    throw;
  }
  for (const auto& route : m_routes) {
    m_watchers.emplace_back(&RouteSet::watch, this, std::cref(*route));
  }
}

void RouteSet::watch(const Route& route) noexcept {
  pthread_setname_np(pthread_self(), "sluice/watch");
  while (!route.wait_stopped(k_watch_interval)) {
  }
  m_stopped.raise();
}

Route* RouteSet::find(std::string_view name) noexcept {
  for (const auto& route : m_routes) {
    if (route->options().name == name) return route.get();
  }
  return nullptr;
}

bool RouteSet::all_stopped() const noexcept {
  return std::all_of(m_routes.begin(), m_routes.end(),
                     [](const auto& route) { return route->state() == RouteState::stopped; });
}

std::string RouteSet::failure() const {
  for (const auto& route : m_routes) {
    if (route->state() != RouteState::stopped) continue;
    const std::string reason = route->reason();
    if (!is_orderly(reason)) return "route " + route->options().name + ": " + reason;
  }
  return {};
}

void RouteSet::request_drain() {
  for (const auto& route : m_routes) {
    if (route->state() != RouteState::stopped) route->request_drain();
  }
}

std::chrono::milliseconds RouteSet::longest_linger() const noexcept {
  std::chrono::milliseconds longest{0};
  for (const auto& route : m_routes) longest = std::max(longest, route->options().linger);
  return longest;
}

void RouteSet::apply(const config::LoadedConfig& config) {
  for (const RouteOptions& options : config.routes) {
    Route* route = find(options.name);
    if (route == nullptr || route->state() == RouteState::stopped) continue;
    if (route->tuning() != options.tuning) route->set(options.tuning);
    const RouteStatus status = route->status();
    for (const SinkOptions& sink : options.sinks) {
      for (const SinkStatus& now : status.sinks) {
        if (now.name == sink.name && now.on_full != sink.on_full) {
          route->set_on_full(sink.name, sink.on_full);
        }
      }
    }
  }
}

std::string RouteSet::describe() const {
  std::string out;
  for (const auto& route : m_routes) {
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
  for (const auto& route : m_routes) {
    const std::string reason = route->reason();
    const std::string text =
        "stopped (" + reason + "): " + totals(route->statistics(), route->status().sinks);
    m_log.write(is_orderly(reason) ? Severity::info : Severity::error, text, route->options().name);
  }
}

}  // namespace sluice::app
