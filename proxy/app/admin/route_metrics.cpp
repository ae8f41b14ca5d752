// SPDX-License-Identifier: Apache-2.0
#include "app/admin/families.hpp"

#include <algorithm>

namespace sluice::app {
namespace {

using Routes = std::vector<RouteStatus>;

constexpr double k_microsecond = 1e-6;
constexpr double k_nanosecond = 1e-9;
constexpr RouteState k_states[] = {RouteState::starting, RouteState::running, RouteState::paused,
                                   RouteState::draining, RouteState::stopped};

/// One value a route.
template <typename Value>
void each(Families& family, const Routes& routes, Value value) {
  for (const RouteStatus& route : routes) family.add({{"route", route.name}}, value(route));
}

/// One value a sink; none where the engine cannot tell.
template <typename Value>
void each_sink(Families& family, const Routes& routes, Value value) {
  for (const RouteStatus& route : routes) {
    for (const SinkStatus& sink : route.sinks) {
      if (const std::optional<double> number = value(sink)) {
        family.add({{"route", route.name}, {"sink", sink.name}}, *number);
      }
    }
  }
}

std::optional<double> number(const std::optional<std::uint64_t>& count) {
  if (!count) return std::nullopt;
  return static_cast<double>(*count);
}

/// Sum or largest of a column of the peer table.
template <typename Combine>
std::optional<double> over_peers(const SinkStatus& sink, std::uint64_t PeerStatus::*column,
                                 Combine combine) {
  if (!sink.peer_table) return std::nullopt;
  std::uint64_t all = 0;
  for (const PeerStatus& peer : *sink.peer_table) all = combine(all, peer.*column);
  return static_cast<double>(all);
}

constexpr auto k_sum = [](std::uint64_t a, std::uint64_t b) { return a + b; };
constexpr auto k_largest = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };

template <typename Add>
void sides(const Routes& routes, Add add) {
  for (const RouteStatus& route : routes) {
    add(route.name, "frontend", route.statistics.frontend);
    add(route.name, "backend", route.statistics.backend);
  }
}

}  // namespace

void add_traffic(Families& families, const Routes& routes) {
  auto& messages =
      families.counter("sluice_messages_total",
                       "Whole messages; frontend is towards the sources, backend towards "
                       "the subscribers; what flows upstream is subscriptions");
  sides(routes, [&](const std::string& route, const char* side, const SideStatistics& s) {
    messages.add({{"route", route}, {"side", side}, {"direction", "received"}},
                 s.received_messages);
    messages.add({{"route", route}, {"side", side}, {"direction", "sent"}}, s.sent_messages);
  });
  auto& bytes = families.counter("sluice_bytes_total", "Payload bytes of those messages");
  sides(routes, [&](const std::string& route, const char* side, const SideStatistics& s) {
    bytes.add({{"route", route}, {"side", side}, {"direction", "received"}}, s.received_bytes);
    bytes.add({{"route", route}, {"side", side}, {"direction", "sent"}}, s.sent_bytes);
  });
  auto& dropped = families.counter(
      "sluice_dropped_messages_total",
      "Messages dropped by reason: queue_full (a native sink's subscribers; libzmq does not tell), "
      "tap_full, unroutable, upstream (messages of subscribers that are no subscriptions)");
  for (const RouteStatus& route : routes) {
    for (const SinkStatus& sink : route.sinks) {
      if (!sink.dropped_messages) continue;
      dropped.add({{"route", route.name}, {"sink", sink.name}, {"reason", "queue_full"}},
                  *sink.dropped_messages);
    }
    const auto of_route = [&](const char* reason, std::uint64_t count) {
      dropped.add({{"route", route.name}, {"sink", ""}, {"reason", reason}}, count);
    };
    of_route("tap_full", route.statistics.tap_dropped_messages);
    of_route("unroutable", route.statistics.unroutable_messages);
    of_route("upstream", route.statistics.upstream_dropped_messages);
  }
  auto& refused = families.counter("sluice_topics_refused_total",
                                   "Subscriptions over max_topic or max_subscriptions");
  each(refused, routes, [](const RouteStatus& r) { return r.statistics.topics_refused; });
  auto& state = families.gauge("sluice_state", "1 for the state that the route is in, else 0");
  for (const RouteStatus& route : routes) {
    for (const RouteState one : k_states) {
      state.add({{"route", route.name}, {"state", to_string(one)}}, one == route.state ? 1.0 : 0.0);
    }
  }
  auto& sources = families.gauge("sluice_sources", "Endpoints of sources, by their state");
  for (const RouteStatus& route : routes) {
    for (const char* wanted : {"listening", "connected", "waiting"}) {
      const auto count =
          std::count_if(route.sources.begin(), route.sources.end(),
                        [&](const SourceStatus& source) { return source.state == wanted; });
      sources.add({{"route", route.name}, {"state", wanted}}, static_cast<double>(count));
    }
  }
}

void add_sinks(Families& families, const Routes& routes) {
  each_sink(families.gauge("sluice_peers", "Subscribers that are connected"), routes,
            [](const SinkStatus& s) { return number(s.peers); });
  each_sink(families.gauge("sluice_subscriptions", "Distinct topics that are subscribed"), routes,
            [](const SinkStatus& s) { return number(s.subscriptions); });
  each_sink(families.counter("sluice_delivered_messages_total",
                             "Messages handed to subscribers, once for each (native engine)"),
            routes, [](const SinkStatus& s) { return number(s.delivered_messages); });
  auto& partings =
      families.counter("sluice_partings_total", "Connections that have ended (native engine)");
  for (const RouteStatus& route : routes) {
    for (const SinkStatus& sink : route.sinks) {
      if (!sink.partings) continue;
      for (const auto& [reason, count] : *sink.partings) {
        partings.add({{"route", route.name}, {"sink", sink.name}, {"reason", reason}}, count);
      }
    }
  }
  each_sink(families.gauge("sluice_queue_messages",
                           "Messages queued for all subscribers (native engine, 1000 of them)"),
            routes,
            [](const SinkStatus& s) { return over_peers(s, &PeerStatus::queued_messages, k_sum); });
  each_sink(families.gauge("sluice_queue_bytes", "Bytes queued for them"), routes,
            [](const SinkStatus& s) { return over_peers(s, &PeerStatus::queued_bytes, k_sum); });
  each_sink(
      families.gauge("sluice_queue_longest_messages", "Messages queued for the slowest of them"),
      routes,
      [](const SinkStatus& s) { return over_peers(s, &PeerStatus::queued_messages, k_largest); });
  each_sink(families.gauge("sluice_queue_oldest_seconds", "Age of the oldest message queued"),
            routes, [](const SinkStatus& s) -> std::optional<double> {
              const auto age = over_peers(s, &PeerStatus::queue_age_us, k_largest);
              if (!age) return std::nullopt;
              return *age * k_microsecond;
            });
}

void add_loops(Families& families, const Routes& routes) {
  const auto loop = [&](const char* name, const char* help, std::uint64_t LoopStatistics::*field) {
    each(families.counter(name, help), routes,
         [field](const RouteStatus& r) { return r.statistics.loop.*field; });
  };
  loop("sluice_wakes_total", "Returns of the loop from a wait", &LoopStatistics::wakes);
  loop("sluice_bursts_total", "Turns that forwarded at least one message", &LoopStatistics::bursts);
  loop("sluice_holds_total", "Waits with the sources unwatched", &LoopStatistics::holds);
  loop("sluice_holds_cut_total", "Holds cut so that a source's mark is not overrun",
       &LoopStatistics::holds_cut);
  loop("sluice_command_looks_total", "Looks at commands", &LoopStatistics::looks);
  loop("sluice_voluntary_switches_total", "Times the forwarding thread gave up its processor",
       &LoopStatistics::voluntary_switches);
  each(families.gauge("sluice_loop_worst_turn_seconds", "The longest turn since the start"), routes,
       [](const RouteStatus& r) {
         return static_cast<double>(r.statistics.loop.worst_turn_us) * k_microsecond;
       });
  auto& latency = families.histogram(
      "sluice_forward_latency_seconds",
      "Turns that forwarded, from the wake or look to the last write, with the hold before them: "
      "the longest that a message of such a turn can have spent in the loop");
  for (const RouteStatus& route : routes) {
    latency.add({{"route", route.name}}, route.statistics.loop.turns);
  }
  each(families.counter("sluice_forward_cpu_seconds_total", "CPU time of the forwarding thread"),
       routes, [](const RouteStatus& r) {
         return static_cast<double>(r.statistics.loop.cpu_ns) * k_nanosecond;
       });
  each(families.counter("sluice_backpressure_seconds_total",
                        "Time spent waiting for the room of a block sink"),
       routes, [](const RouteStatus& r) {
         return static_cast<double>(r.statistics.backpressure_ns) * k_nanosecond;
       });
}

}  // namespace sluice::app
