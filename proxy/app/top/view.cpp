// SPDX-License-Identifier: Apache-2.0
#include "app/top/view.hpp"

#include "app/terminal/text_table.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace sluice::app::top {
namespace {

using Json = nlohmann::ordered_json;

std::string clock_time(std::time_t time) {
  std::tm parts{};
  localtime_r(&time, &parts);
  char text[16];
  return {text, std::strftime(text, sizeof text, "%H:%M:%S", &parts)};
}

std::string whole(double number) {
  return grouped(static_cast<std::uint64_t>(std::llround(number)));
}

std::string whole(const std::optional<double>& number) {
  return number ? whole(*number) : "-";
}

std::string precise(const std::optional<double>& number) {
  return number ? fixed(*number, 2) : "-";
}

bool wanted(const std::string& route, const std::string& name) {
  return route.empty() || route == name;
}

std::string knobs(const RouteSample& r) {
  std::string out;
  for (const auto& [key, value] : r.settings) {
    if (key.find('.') != std::string::npos) continue;  // of a sink
    if (!out.empty()) out += "  ";
    out += key;
    out += ' ';
    out += value;
  }
  return out;
}

std::string routes_table(const History& history, const std::string& route) {
  TextTable table({"ROUTE", "STATE", "MSG/S", "MB/S", "CPU NS/MSG", "CPU %", "CALLS/MSG", "WAKES/S",
                   "BURST", "PEERS", "DROPPED/S"});
  for (const RouteSample& r : history.latest().routes) {
    if (!wanted(route, r.name)) continue;
    const Passed p = history.last(r.name).value_or(Passed{});
    const double seconds = p.seconds > 0 ? p.seconds : 1;
    table.add({r.name, r.state, whole(p.messages_per_s()), fixed(p.bytes_per_s() / 1e6, 1),
               whole(p.cpu_ns_per_message()), fixed(p.cpu_share() * 100, 1),
               precise(p.calls_per_message()), whole(static_cast<double>(p.wakes) / seconds),
               p.burst() ? fixed(*p.burst(), 1) : "-", grouped(r.peers()),
               whole(static_cast<double>(p.dropped) / seconds)});
  }
  return table.text();
}

std::string sinks_table(const History& history, const std::string& route) {
  TextTable table({"SINK", "ROUTE", "ENGINE", "ON_FULL", "PEERS", "SUBSCRIPTIONS", "DELIVERED",
                   "DROPPED", "QUEUED", "OLDEST MS"});
  for (const RouteSample& r : history.latest().routes) {
    if (!wanted(route, r.name)) continue;
    for (const SinkSample& s : r.sinks) {
      table.add({s.name, r.name, s.engine, s.on_full, grouped(s.peers), grouped(s.subscriptions),
                 s.delivered ? grouped(*s.delivered) : "-", s.dropped ? grouped(*s.dropped) : "-",
                 s.delivered ? grouped(s.queued) : "-",
                 s.delivered ? fixed(static_cast<double>(s.oldest_us) / 1'000, 1) : "-"});
    }
  }
  return table.text();
}

std::string change_line(const Change& change) {
  return clock_time(change.time) + "  " + change.route + "  " + change.what;
}

std::string cut_to(const std::string& text, const TerminalSize& size) {
  std::string out;
  std::size_t rows = 0;
  for (std::size_t at = 0; at < text.size() && rows < size.rows; ++rows) {
    const std::size_t end = text.find('\n', at);
    out += text.substr(at, std::min(end - at, size.columns)) + '\n';
    at = end == std::string::npos ? text.size() : end + 1;
  }
  if (!out.empty()) out.pop_back();  // a line end in the last row would scroll
  return out;
}

Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json as_json(const Passed& p) {
  return {{"messages_per_s", p.messages_per_s()},
          {"bytes_per_s", p.bytes_per_s()},
          {"cpu_ns_per_message", or_null(p.cpu_ns_per_message())},
          {"cpu_share", p.cpu_share()},
          {"calls_per_message", or_null(p.calls_per_message())},
          {"wakes_per_s", p.seconds > 0 ? static_cast<double>(p.wakes) / p.seconds : 0},
          {"burst", or_null(p.burst())},
          {"dropped_messages", p.dropped}};
}

Json as_json(const SinkSample& s) {
  const auto count = [](const std::optional<std::uint64_t>& n) {
    return n ? Json(*n) : Json(nullptr);
  };
  return {{"name", s.name},
          {"engine", s.engine},
          {"on_full", s.on_full},
          {"peers", s.peers},
          {"subscriptions", s.subscriptions},
          {"delivered_messages", count(s.delivered)},
          {"dropped_messages", count(s.dropped)},
          {"queued_messages", s.queued},
          {"oldest_us", s.oldest_us}};
}

}  // namespace

std::string before_and_after(const Change& c) {
  const auto pair = [](const std::optional<double>& a, const std::optional<double>& b, int digits) {
    const auto text = [digits](double n) { return digits == 0 ? whole(n) : fixed(n, digits); };
    std::string out = (a ? text(*a) : "-") + " -> " + (b ? text(*b) : "-");
    if (a && b && *a > 0) out += " (x " + fixed(*b / *a, 2) + ')';
    return out;
  };
  if (c.intervals_after == 0) return "CPU, system calls: one interval more";
  std::string out = "CPU ns/msg " +
                    pair(c.before.cpu_ns_per_message(), c.after.cpu_ns_per_message(), 0) +
                    ", calls/msg " +
                    pair(c.before.calls_per_message(), c.after.calls_per_message(), 2) + ", msg/s ";
  return out + whole(c.before.messages_per_s()) + " -> " + whole(c.after.messages_per_s());
}

std::string screen(const History& history, const std::string& route, const TerminalSize& size) {
  const Sample& now = history.latest();
  std::string out = "sluice " + now.version + "  pid " + std::to_string(now.pid) + "  up " +
                    fixed(now.uptime_s, 0) + " s    q quits\n\n";
  out += routes_table(history, route);
  if (!now.calls) {
    out += "system calls are not counted in this process\n";
  } else if (now.routes.size() > 1) {
    out += "CALLS/MSG is that of all routes together\n";
  }
  out += "\nin force\n";
  for (const RouteSample& r : now.routes) {
    if (!wanted(route, r.name)) continue;
    out += "  " + r.name + "  " + knobs(r) + "\n      holds " + grouped(r.holds) + ", cut " +
           grouped(r.holds_cut) + "; worst turn " + grouped(r.worst_turn_us) + " us; sources " +
           grouped(r.sources) +
           (r.waiting_sources > 0 ? ", waiting " + grouped(r.waiting_sources) : "") + '\n';
  }
  out += '\n' + sinks_table(history, route);
  out += "\nchanges, newest first, with before and after\n";
  std::string changes;
  for (const Change& c : history.changes()) {
    if (!wanted(route, c.route)) continue;
    changes.insert(0, "  " + change_line(c) + "\n            " + before_and_after(c) + '\n');
  }
  out += changes.empty() ? "  none since the watch began\n" : changes;
  return cut_to(out, size);
}

std::string plain_lines(History& history, const std::string& route, std::time_t time, bool last) {
  std::string out;
  for (const RouteSample& r : history.latest().routes) {
    const auto p = history.last(r.name);
    if (!wanted(route, r.name) || !p) continue;
    out += clock_time(time) + "  " + r.name + "  " + r.state + "  " + whole(p->messages_per_s()) +
           " msg/s  " + fixed(p->bytes_per_s() / 1e6, 1) + " MB/s  " +
           whole(p->cpu_ns_per_message()) + " ns/msg  " + precise(p->calls_per_message()) +
           " calls/msg  " + fixed(p->cpu_share() * 100, 1) + " % CPU  " + grouped(r.peers()) +
           " peers  " + grouped(p->dropped) + " dropped  (" + knobs(r) + ")\n";
  }
  for (Change& c : history.changes()) {
    if (!wanted(route, c.route) || c.told) continue;
    if (!c.announced) out += change_line(c) + "  <- changed\n";
    c.announced = true;
    if (c.intervals_after < k_compared_intervals && !last) continue;
    out += change_line(c) + "  " + before_and_after(c) + '\n';
    c.told = true;
  }
  return out;
}

std::string json_line(const History& history, const std::string& route, std::time_t time) {
  Json out = {{"time", time},
              {"pid", history.latest().pid},
              {"uptime_s", history.latest().uptime_s},
              {"routes", Json::array()},
              {"changes", Json::array()}};
  for (const RouteSample& r : history.latest().routes) {
    const auto p = history.last(r.name);
    if (!wanted(route, r.name) || !p) continue;
    Json settings = Json::object();
    for (const auto& [key, value] : r.settings) settings[key] = value;
    Json one = {{"name", r.name}, {"state", r.state}, {"settings", settings}};
    one.update(as_json(*p));
    one["peers"] = r.peers();
    one["sinks"] = Json::array();
    for (const SinkSample& s : r.sinks) one["sinks"].push_back(as_json(s));
    out["routes"].push_back(one);
  }
  for (const Change& c : history.changes()) {
    if (!wanted(route, c.route)) continue;
    out["changes"].push_back({{"time", c.time},
                              {"route", c.route},
                              {"what", c.what},
                              {"before", as_json(c.before)},
                              {"after", c.intervals_after > 0 ? as_json(c.after) : Json(nullptr)}});
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace sluice::app::top
