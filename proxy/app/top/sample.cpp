// SPDX-License-Identifier: Apache-2.0
#include "app/top/sample.hpp"

#include "config/units.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace sluice::app::top {
namespace {

using Json = nlohmann::json;

std::optional<std::uint64_t> optional_number(const Json& object, const char* key) {
  const Json& value = object.at(key);
  if (!value.is_number()) return {};
  return value.get<std::uint64_t>();
}

std::string duration(const Json& microseconds) {
  return config::format_duration(static_cast<std::int64_t>(microseconds.get<double>() * 1'000));
}

SinkSample sink(const Json& s) {
  SinkSample out;
  out.name = s.at("name");
  out.engine = s.at("engine");
  out.on_full = s.at("on_full");
  out.peers = s.at("peers");
  out.subscriptions = s.at("subscriptions");
  out.dropped = optional_number(s, "dropped_messages");
  out.delivered = optional_number(s, "delivered_messages");
  if (s.contains("peer_table") && s.at("peer_table").is_array()) {
    for (const Json& peer : s.at("peer_table")) {
      out.queued = std::max(out.queued, peer.at("queued_messages").get<std::uint64_t>());
      out.oldest_us = std::max(out.oldest_us, peer.at("queue_age_us").get<std::uint64_t>());
    }
  }
  return out;
}

RouteSample route(const Json& r) {
  RouteSample out;
  out.name = r.at("name");
  out.state = r.at("state");
  const Json& tuning = r.at("tuning");
  const std::string mode = tuning.at("mode");
  out.settings = {{"inbound_poll_rate", tuning.at("inbound_poll_rate").dump()},
                  {"max_command_delay", duration(tuning.at("max_command_delay_us"))},
                  {"coalesce_delay", duration(tuning.at("coalesce_delay_us"))},
                  {"tuning", mode}};
  if (tuning.contains("latency_budget_us")) {
    out.settings.emplace_back("latency_budget", duration(tuning.at("latency_budget_us")));
  }
  out.messages = r.at("frontend").at("received_messages");
  out.bytes = r.at("frontend").at("received_bytes");
  const Json& loop = r.at("loop");
  out.cpu_ns = loop.at("cpu_ns");
  out.wakes = loop.at("wakes");
  out.bursts = loop.at("bursts");
  out.holds = loop.at("holds");
  out.holds_cut = loop.at("holds_cut");
  out.worst_turn_us = loop.at("worst_turn_us");
  for (const Json& source : r.at("sources")) {
    ++out.sources;
    if (source.at("state") == "waiting") ++out.waiting_sources;
  }
  for (const Json& s : r.at("sinks")) {
    out.sinks.push_back(sink(s));
    out.settings.emplace_back(out.sinks.back().name + ".engine", out.sinks.back().engine);
    out.settings.emplace_back(out.sinks.back().name + ".on_full", out.sinks.back().on_full);
  }
  return out;
}

std::optional<std::uint64_t> calls(const Json& syscalls) {
  if (!syscalls.is_object()) return {};
  std::uint64_t sum = 0;
  for (const char* kind : {"forwarding", "io"}) {
    for (const auto& [call, count] : syscalls.at(kind).items()) sum += count.get<std::uint64_t>();
  }
  return sum;
}

}  // namespace

Totals& Totals::operator+=(const Totals& other) noexcept {
  messages += other.messages;
  bytes += other.bytes;
  cpu_ns += other.cpu_ns;
  wakes += other.wakes;
  bursts += other.bursts;
  holds += other.holds;
  return *this;
}

std::uint64_t RouteSample::peers() const noexcept {
  std::uint64_t sum = 0;
  for (const SinkSample& s : sinks) sum += s.peers;
  return sum;
}

std::uint64_t RouteSample::dropped() const noexcept {
  std::uint64_t sum = 0;
  for (const SinkSample& s : sinks) sum += s.dropped.value_or(0);
  return sum;
}

const RouteSample* Sample::find(const std::string& route) const noexcept {
  for (const RouteSample& r : routes) {
    if (r.name == route) return &r;
  }
  return nullptr;
}

std::uint64_t Sample::messages() const noexcept {
  std::uint64_t sum = 0;
  for (const RouteSample& r : routes) sum += r.messages;
  return sum;
}

Sample read_sample(const std::string& status) {
  try {
    const Json s = Json::parse(status);
    Sample out;
    out.version = s.at("version");
    out.pid = s.at("pid");
    out.uptime_s = s.at("uptime_s");
    for (const Json& r : s.at("routes")) out.routes.push_back(route(r));
    out.calls = calls(s.at("syscalls"));
    return out;
  } catch (const nlohmann::json::exception& e) {
    throw std::runtime_error(std::string("the answer to STATUS is not understood: ") + e.what());
  }
}

}  // namespace sluice::app::top
