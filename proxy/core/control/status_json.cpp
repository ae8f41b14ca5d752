// SPDX-License-Identifier: Apache-2.0
#include "core/control/status_json.hpp"

#include <sluice/version.hpp>

#include <nlohmann/json.hpp>
#include <zmq.h>

#include <unistd.h>

namespace sluice::core {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t microseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
}

Json side(const SideStatistics& s) {
  return {{"received_messages", s.received_messages},
          {"received_bytes", s.received_bytes},
          {"sent_messages", s.sent_messages},
          {"sent_bytes", s.sent_bytes}};
}

Json tuning(const Tuning& t) {
  Json out = {{"inbound_poll_rate", t.inbound_poll_rate},
              {"max_command_delay_us", microseconds(t.max_command_delay)},
              {"coalesce_delay_us", microseconds(t.coalesce_delay)},
              {"mode", to_string(t.mode)}};
  if (t.mode == TuningMode::adaptive) out["latency_budget_us"] = microseconds(t.latency_budget);
  return out;
}

Json loop(const LoopStatistics& l) {
  return {{"wakes", l.wakes},   {"bursts", l.bursts},
          {"holds", l.holds},   {"holds_cut", l.holds_cut},
          {"looks", l.looks},   {"worst_turn_us", l.worst_turn_us},
          {"cpu_ns", l.cpu_ns}, {"voluntary_switches", l.voluntary_switches}};
}

Json source(const SourceStatus& s) {
  return {{"name", s.name}, {"endpoint", s.endpoint}, {"mode", s.mode}, {"state", s.state}};
}

Json or_null(const std::optional<std::uint64_t>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <typename T, typename F>
Json list(const std::vector<T>& items, F make) {
  Json out = Json::array();
  for (const T& item : items) out.push_back(make(item));
  return out;
}

Json peer(const PeerStatus& p) {
  return {{"address", p.address},
          {"subscriptions", p.subscriptions},
          {"queued_messages", p.queued_messages},
          {"queued_bytes", p.queued_bytes},
          {"queue_age_us", p.queue_age_us},
          {"delivered_messages", p.delivered_messages},
          {"dropped_messages", p.dropped_messages}};
}

Json sink(const SinkStatus& s) {
  return {{"name", s.name},
          {"engine", to_string(s.engine)},
          {"endpoints", s.endpoints},
          {"on_full", to_string(s.on_full)},
          {"peers", s.peers},
          {"subscriptions", s.subscriptions},
          {"dropped_messages", or_null(s.dropped_messages)},
          {"delivered_messages", or_null(s.delivered_messages)},
          {"partings", s.partings ? Json(*s.partings) : Json(nullptr)},
          {"peer_table", s.peer_table ? list(*s.peer_table, peer) : Json(nullptr)}};
}

Json route(const RouteStatus& r) {
  return {{"name", r.name},
          {"state", to_string(r.state)},
          {"reason", r.reason},
          {"tuning", tuning(r.tuning)},
          {"frontend", side(r.statistics.frontend)},
          {"backend", side(r.statistics.backend)},
          {"sources", list(r.sources, source)},
          {"sinks", list(r.sinks, sink)},
          {"loop", loop(r.statistics.loop)}};
}

Json table(const SyscallTable& counts) {
  Json out = Json::object();
  for (const auto& [name, count] : counts) out[name] = count;
  return out;
}

Json syscalls(const std::optional<SyscallCounts>& counts) {
  if (!counts) return nullptr;
  return {{"forwarding", table(counts->forwarding)},
          {"io", table(counts->io)},
          {"other", table(counts->other)}};
}

Json reload(const std::optional<ReloadStatus>& r) {
  if (!r) return nullptr;
  Json result = nullptr;
  if (r->last_succeeded) result = *r->last_succeeded ? "ok" : "failed";
  return {{"result", result},
          {"time_s", r->last_succeeded ? Json(r->last_time) : Json(nullptr)},
          {"last_success_time_s", r->last_success_time},
          {"error", r->last_error},
          {"successes", r->successes},
          {"failures", r->failures}};
}

std::string libzmq_version() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  zmq_version(&major, &minor, &patch);
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

}  // namespace

std::string status_json(const ProcessStatus& status) {
  const Json out = {{"version", version()},
                    {"libzmq", libzmq_version()},
                    {"pid", ::getpid()},
                    {"uptime_s", static_cast<double>(status.uptime.count()) / 1000.0},
                    {"routes", list(status.routes, route)},
                    {"reload", reload(status.reload)},
                    {"syscalls", syscalls(status.syscalls)}};
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sluice::core
