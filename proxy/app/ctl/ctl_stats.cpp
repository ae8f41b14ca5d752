// SPDX-License-Identifier: Apache-2.0
#include "app/ctl/ctl_report.hpp"
#include "app/terminal/text_table.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace sluice::app {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t number(const Json& object, const char* key) {
  return object.at(key).get<std::uint64_t>();
}

/// Counters never go back within a process; another process's begin again.
std::uint64_t growth(std::uint64_t before, std::uint64_t after) {
  return after >= before ? after - before : after;
}

const Json* find_route(const Json& status, const std::string& name) {
  for (const Json& route : status.at("routes")) {
    if (route.at("name") == name) return &route;
  }
  return nullptr;
}

std::uint64_t dropped(const Json& route) {
  std::uint64_t sum = 0;
  for (const Json& sink : route.at("sinks")) {
    if (sink.at("dropped_messages").is_number()) sum += number(sink, "dropped_messages");
  }
  return sum;
}

struct Passed {
  std::uint64_t in_interval = 0;
  std::uint64_t ever = 0;
};

RouteStats route_stats(const Json* before, const Json& after, double seconds, Passed& passed) {
  const auto was = [before](const char* group, const char* key) {
    return before != nullptr ? number(before->at(group), key) : 0;
  };
  RouteStats out;
  out.name = after.at("name");
  out.state = after.at("state");
  out.messages = number(after.at("frontend"), "received_messages");
  out.bytes = number(after.at("frontend"), "received_bytes");
  out.dropped = dropped(after);
  const std::uint64_t messages = growth(was("frontend", "received_messages"), out.messages);
  const std::uint64_t cpu_ever = number(after.at("loop"), "cpu_ns");
  const std::uint64_t cpu = growth(was("loop", "cpu_ns"), cpu_ever);
  out.messages_per_s = static_cast<double>(messages) / seconds;
  out.bytes_per_s =
      static_cast<double>(growth(was("frontend", "received_bytes"), out.bytes)) / seconds;
  out.cpu_share = static_cast<double>(cpu) / seconds / 1e9;
  if (messages > 0) {
    out.cpu_ns_per_message = static_cast<double>(cpu) / static_cast<double>(messages);
  } else if (out.messages > 0) {
    out.cpu_ns_per_message = static_cast<double>(cpu_ever) / static_cast<double>(out.messages);
  }
  passed.in_interval += messages;
  passed.ever += out.messages;
  return out;
}

std::uint64_t count_in(const Json& syscalls, const std::string& kind, const std::string& call) {
  if (!syscalls.is_object() || !syscalls.contains(kind)) return 0;
  const Json& table = syscalls.at(kind);
  return table.contains(call) ? table.at(call).get<std::uint64_t>() : 0;
}

CallStats call_stats(std::uint64_t before, std::uint64_t after, double seconds,
                     const Passed& passed) {
  CallStats out;
  out.total = after;
  const auto grown = static_cast<double>(growth(before, after));
  out.per_s = grown / seconds;
  if (passed.in_interval > 0) {
    out.per_message = grown / static_cast<double>(passed.in_interval);
  } else if (passed.ever > 0) {
    out.per_message = static_cast<double>(after) / static_cast<double>(passed.ever);
  }
  return out;
}

Json parse(const std::string& text) {
  Json status = Json::parse(text, nullptr, false);
  if (!status.is_object()) throw std::runtime_error("the answer to STATUS is not a JSON object");
  return status;
}

Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::string or_dash(const std::optional<double>& value, int digits) {
  return value ? fixed(*value, digits) : "-";
}

}  // namespace

StatsReport make_stats(const std::string& before_text, const std::string& after_text) {
  try {
    const Json before = parse(before_text);
    const Json after = parse(after_text);
    StatsReport report;
    report.seconds = after.at("uptime_s").get<double>() - before.at("uptime_s").get<double>();
    if (report.seconds <= 0) report.seconds = after.at("uptime_s").get<double>();
    if (report.seconds <= 0) report.seconds = 1;
    Passed passed;
    for (const Json& route : after.at("routes")) {
      report.routes.push_back(
          route_stats(find_route(before, route.at("name")), route, report.seconds, passed));
    }
    report.of_interval = passed.in_interval > 0;
    const Json& calls = after.at("syscalls");
    if (calls.is_object()) {
      auto& out = report.calls.emplace();
      for (const auto& [kind, table] : calls.items()) {
        for (const auto& [call, count] : table.items()) {
          out[kind][call] = call_stats(count_in(before.at("syscalls"), kind, call),
                                       count.get<std::uint64_t>(), report.seconds, passed);
        }
      }
    }
    return report;
  } catch (const nlohmann::json::exception& e) {
    throw std::runtime_error(std::string("the answer to STATUS is not understood: ") + e.what());
  }
}

std::string stats_text(const StatsReport& report) {
  TextTable routes({"ROUTE", "STATE", "MESSAGES", "MSGS/S", "BYTES", "BYTES/S", "CPU NS/MSG",
                    "CPU %", "DROPPED"});
  for (const RouteStats& r : report.routes) {
    routes.add({r.name, r.state, grouped(r.messages), fixed(r.messages_per_s, 0), grouped(r.bytes),
                fixed(r.bytes_per_s, 0), or_dash(r.cpu_ns_per_message, 0),
                fixed(r.cpu_share * 100, 1), grouped(r.dropped)});
  }
  std::string out = routes.text() + '\n';
  if (!report.calls) return out + "system calls: not counted in this process\n";
  TextTable calls({"THREADS", "SYSTEM CALL", "TOTAL", "PER S", "PER MSG"});
  for (const auto& [kind, table] : *report.calls) {
    for (const auto& [call, c] : table) {
      if (c.total == 0) continue;
      calls.add({kind, call, grouped(c.total), fixed(c.per_s, 0), or_dash(c.per_message, 4)});
    }
  }
  out += calls.text();
  out += "\nrates over " + fixed(report.seconds, 2) + " s";
  out += report.of_interval
             ? "\n"
             : "; nothing passed in it, so figures per message are of the whole run\n";
  return out;
}

std::string stats_json(const StatsReport& report) {
  Json out = {{"seconds", report.seconds},
              {"per_message_of", report.of_interval ? "interval" : "run"},
              {"routes", Json::array()},
              {"syscalls", nullptr}};
  for (const RouteStats& r : report.routes) {
    out["routes"].push_back({{"name", r.name},
                             {"state", r.state},
                             {"messages", r.messages},
                             {"bytes", r.bytes},
                             {"messages_per_s", r.messages_per_s},
                             {"bytes_per_s", r.bytes_per_s},
                             {"cpu_ns_per_message", or_null(r.cpu_ns_per_message)},
                             {"cpu_share", r.cpu_share},
                             {"dropped_messages", r.dropped}});
  }
  if (report.calls) {
    Json calls = Json::object();
    for (const auto& [kind, table] : *report.calls) {
      calls[kind] = Json::object();
      for (const auto& [call, c] : table) {
        calls[kind][call] = {
            {"total", c.total}, {"per_s", c.per_s}, {"per_message", or_null(c.per_message)}};
      }
    }
    out["syscalls"] = calls;
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace sluice::app
