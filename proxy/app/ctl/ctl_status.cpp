// SPDX-License-Identifier: Apache-2.0
#include "app/ctl/ctl_report.hpp"
#include "app/terminal/text_table.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace sluice::app {
namespace {

using Json = nlohmann::ordered_json;

std::string count(const Json& value) {
  return value.is_number_unsigned() ? grouped(value.get<std::uint64_t>()) : "-";
}

std::string joined(const Json& texts) {
  std::string out;
  for (const Json& text : texts) {
    if (!out.empty()) out += ' ';
    out += text.get_ref<const std::string&>();
  }
  return out;
}

std::string side(const char* name, const Json& s) {
  return std::string("  ") + name + "received " + count(s.at("received_messages")) + " (" +
         count(s.at("received_bytes")) + " bytes), sent " + count(s.at("sent_messages")) + " (" +
         count(s.at("sent_bytes")) + " bytes)\n";
}

std::string tuning(const Json& t) {
  return "  tuning    inbound_poll_rate " + t.at("inbound_poll_rate").dump() +
         ", max_command_delay " + t.at("max_command_delay_us").dump() + " us, coalesce_delay " +
         t.at("coalesce_delay_us").dump() + " us, " + t.at("mode").get<std::string>() + '\n';
}

std::string sources(const Json& list) {
  TextTable table({"SOURCE", "ENDPOINT", "MODE", "STATE"});
  for (const Json& s : list)
    table.add({s.at("name"), s.at("endpoint"), s.at("mode"), s.at("state")});
  return table.empty() ? "  no sources\n" : table.text(2);
}

std::string sinks(const Json& list) {
  TextTable table(
      {"SINK", "ENGINE", "ON_FULL", "PEERS", "SUBSCRIPTIONS", "DELIVERED", "DROPPED", "ENDPOINTS"});
  for (const Json& s : list) {
    table.add({s.at("name"), s.at("engine"), s.at("on_full"), count(s.at("peers")),
               count(s.at("subscriptions")), count(s.at("delivered_messages")),
               count(s.at("dropped_messages")), joined(s.at("endpoints"))});
  }
  return table.text(2);
}

std::string route(const Json& r) {
  const std::string reason = r.at("reason");
  std::string out = "\nroute " + r.at("name").get<std::string>() + ": " +
                    r.at("state").get<std::string>() + (reason.empty() ? "" : " (" + reason + ")") +
                    '\n';
  out += tuning(r.at("tuning")) + side("frontend  ", r.at("frontend")) +
         side("backend   ", r.at("backend"));
  return out + sources(r.at("sources")) + sinks(r.at("sinks"));
}

}  // namespace

std::string status_report(const std::string& status) {
  try {
    const Json s = Json::parse(status);
    std::string out = "sluice " + s.at("version").get<std::string>() + ", libzmq " +
                      s.at("libzmq").get<std::string>() + ", pid " + s.at("pid").dump() + ", up " +
                      fixed(s.at("uptime_s").get<double>(), 1) + " s\n";
    for (const Json& r : s.at("routes")) out += route(r);
    return out;
  } catch (const nlohmann::json::exception& e) {
    throw std::runtime_error(std::string("the answer to STATUS is not understood: ") + e.what());
  }
}

bool has_stopped(const std::string& status, const std::string& name) {
  const Json s = Json::parse(status, nullptr, false);
  if (!s.is_object() || !s.contains("routes")) return false;
  for (const Json& r : s["routes"]) {
    if (r.value("name", "") == name) return r.value("state", "") == "stopped";
  }
  return false;
}

std::string result_json(const std::string& key, const std::string& text) {
  return Json{{key, text}}.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace sluice::app
