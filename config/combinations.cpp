// SPDX-License-Identifier: Apache-2.0
#include "config/admin_address.hpp"
#include "config/build.hpp"
#include "config/text.hpp"

#include <algorithm>
#include <charconv>

namespace sluice::config {
namespace {

constexpr std::size_t k_most_sinks = 64;
constexpr int k_most_cpus = 1024;

class Checker {
 public:
  Checker(const std::vector<Section>& sections, Errors& errors, std::vector<Warning>& warnings)
      : m_sections(sections), m_errors(errors), m_warnings(warnings) {}

  void check() {
    for (const Section& section : m_sections) {
      switch (section.kind) {
        case Kind::route:
          check_route(section);
          break;
        case Kind::source:
          need_endpoint(section);
          check_link(section);
          check_curve(section);
          break;
        case Kind::sink:
          check_sink(section);
          break;
        case Kind::tap:
          need_endpoint(section);
          break;
        case Kind::control:
          check_control(section);
          break;
        case Kind::plugin:
          check_plugin(section);
          break;
        case Kind::generator:
          check_generator(section);
          break;
        case Kind::admin:
          check_admin(section);
          break;
        case Kind::process:
          check_process(section);
          break;
        case Kind::log:
          break;
      }
    }
  }

 private:
  void error(const Place& place, std::string text) { m_errors.push_back({place, std::move(text)}); }

  // The place to go to for a value: its own, or the section's where it is the default.
  static Place place_of(const Section& section, std::string_view key) {
    const Value& value = section.value(key);
    return value.is_default() ? section.place : value.place();
  }

  std::size_t count(Kind kind, const std::string& route) const {
    return static_cast<std::size_t>(std::count_if(
        m_sections.begin(), m_sections.end(),
        [&](const Section& s) { return s.kind == kind && s.text("route") == route; }));
  }

  void check_route(const Section& route) {
    const bool adaptive = route.text("tuning") == "adaptive";
    if (adaptive && route.number("coalesce_delay") != 0) {
      error(place_of(route, "coalesce_delay"),
            "coalesce_delay and tuning = adaptive exclude each other: adaptive chooses the delay "
            "within latency_budget; leave coalesce_delay out or set it to 0");
    }
    if (!adaptive && !route.value("latency_budget").is_default()) {
      m_warnings.push_back(
          {place_of(route, "latency_budget"), "latency_budget counts with tuning = adaptive only"});
    }
    for (const Item& item : route.value("subscribe").items) {
      const auto size = static_cast<std::int64_t>(std::get<std::string>(item.value).size());
      if (size <= route.number("max_topic")) continue;
      error(item.place, "subscribe: a topic of " + std::to_string(size) + " bytes; max_topic is " +
                            std::to_string(route.number("max_topic")));
    }
    const std::size_t sinks = count(Kind::sink, route.name);
    if (sinks == 0) {
      error(route.place, route.title() +
                             " has no sink; add [sink NAME] with bind = tcp://*:PORT"
                             " or ipc://PATH");
    }
    if (sinks > k_most_sinks) {
      error(route.place, route.title() + " has " + std::to_string(sinks) + " sinks; allowed: 64");
    }
    if (count(Kind::tap, route.name) > 1) {
      error(route.place, route.title() + " has several taps; allowed: one");
    }
    if (count(Kind::source, route.name) + count(Kind::generator, route.name) +
            count(Kind::plugin, route.name) ==
        0) {
      m_warnings.push_back({route.place, route.title() + " has no source until one is attached"});
    }
  }

  void need_endpoint(const Section& section) {
    if (!section.value("bind").items.empty() || !section.value("connect").items.empty()) return;
    error(section.place, section.title() + " needs bind = or connect =" + near_name(section));
  }

  // A section that only a flag has made may be one of the file, misspelt.
  std::string near_name(const Section& section) const {
    if (section.place.origin == Origin::file) return {};
    std::vector<std::string_view> names;
    for (const Section& other : m_sections) {
      if (other.kind == section.kind && other.name != section.name) names.push_back(other.name);
    }
    return did_you_mean(section.name, names);
  }

  void check_link(const Section& section) {
    if (section.number("reconnect_interval_max") < section.number("reconnect_interval")) {
      error(place_of(section, "reconnect_interval_max"),
            "reconnect_interval_max is less than reconnect_interval");
    }
  }

  void check_sink(const Section& sink) {
    need_endpoint(sink);
    check_link(sink);
    const std::string engine = sink.text("engine");
    check_curve(sink);
    const bool connects = !sink.value("connect").items.empty();
    const bool curve = !sink.text("curve_secret_file").empty();
    if (engine == "native" && curve) {
      error(place_of(sink, "curve_secret_file"), "engine = native has no CURVE; use engine = zmq");
    }
    if (engine == "native" && connects) {
      error(place_of(sink, "connect"), "engine = native only binds; use engine = zmq for connect");
    }
    const bool zmq = engine == "zmq" || (engine == "auto" && (connects || curve));
    if (zmq && sink.text("on_full") == "disconnect") {
      error(
          place_of(sink, "on_full"),
          "on_full = disconnect needs engine = native: libzmq does not tell who is slow; use drop "
          "or block");
    }
    if (zmq) {
      for (const Value& value : sink.values) {
        if (!value.setting->native_only || value.is_default()) continue;
        m_warnings.push_back({value.place(), std::string(value.setting->key) +
                                                 " has no effect on " + sink.title() +
                                                 ", which is served by the zmq engine"});
      }
    }
    if (!sink.value("block_timeout").is_default() && sink.text("on_full") != "block") {
      m_warnings.push_back(
          {place_of(sink, "block_timeout"), "block_timeout counts with on_full = block only"});
    }
    const std::int64_t interval = sink.number("heartbeat_interval");
    if (interval != 0 && sink.number("heartbeat_timeout") < interval) {
      error(place_of(sink, "heartbeat_timeout"),
            "heartbeat_timeout is less than heartbeat_interval");
    }
  }

  // A CURVE socket is a server or a client: libzmq decides by socket, not by endpoint.
  void check_curve(const Section& section) {
    const auto given = [&section](std::string_view key) { return !section.text(key).empty(); };
    const bool binds = !section.value("bind").items.empty();
    const bool connects = section.kind != Kind::control && !section.value("connect").items.empty();
    if (!given("curve_secret_file")) {
      for (const char* key : {"curve_server_key_file", "curve_allow_file"}) {
        if (find_setting(section.kind, key) == nullptr || !given(key)) continue;
        error(place_of(section, key),
              std::string(key) + " needs curve_secret_file: " + section.title() + " has no CURVE");
      }
      return;
    }
    if (binds && connects) {
      error(place_of(section, "curve_secret_file"),
            section.title() + " has CURVE and both bind and connect; make two sections of it");
      return;
    }
    if (connects && !given("curve_server_key_file")) {
      error(place_of(section, "curve_secret_file"),
            "CURVE with connect needs curve_server_key_file, the other side's public key");
    }
    if (binds && section.kind != Kind::control && given("curve_server_key_file")) {
      error(place_of(section, "curve_server_key_file"), "curve_server_key_file is for connect");
    }
    if (connects && given("curve_allow_file")) {
      error(place_of(section, "curve_allow_file"), "curve_allow_file is for bind");
    }
    if (binds && section.kind != Kind::control && !given("curve_allow_file")) {
      m_warnings.push_back({place_of(section, "curve_secret_file"),
                            section.title() + " lets in whoever knows its public key, as it has no "
                                              "curve_allow_file"});
    }
  }

  void check_control(const Section& control) {
    check_curve(control);
    if (!control.text("curve_secret_file").empty() && control.text("curve_allow_file").empty()) {
      error(place_of(control, "curve_secret_file"),
            "[control] with CURVE needs curve_allow_file: the public keys that may steer");
    }
    if (!control.value("bind").items.empty()) return;
    error(control.place, "[control] needs bind = ipc://PATH");
  }

  void check_plugin(const Section& plugin) {
    const std::string path = plugin.text("path");
    if (path.empty()) {
      error(place_of(plugin, "path"),
            plugin.title() + " needs path = /.../name.so" + near_name(plugin));
    } else if (path.front() != '/') {
      error(place_of(plugin, "path"), "path = " + printable(path) +
                                          ": not a complete path; write "
                                          "it from / on");
    }
  }

  void check_generator(const Section& generator) {
    for (const Item& item : generator.value("topics").items) {
      const std::string& topic = std::get<std::string>(item.value);
      if (static_cast<std::int64_t>(topic.size()) <= generator.number("size")) continue;
      error(item.place.origin == Origin::standard ? generator.place : item.place,
            "topics: '" + printable(topic) +
                "' is longer than size = " + std::to_string(generator.number("size")));
    }
  }

  void check_admin(const Section& admin) {
    const std::string http = admin.text("http");
    const std::string token_file = admin.text("token_file");
    const bool changes = admin.flag("changes");
    if (!token_file.empty() && token_file.front() != '/') {
      error(place_of(admin, "token_file"),
            "token_file = " + printable(token_file) + ": not a complete path; write it from / on");
    }
    if (http.empty()) {
      if (changes)
        m_warnings.push_back({place_of(admin, "changes"), "changes counts with http = only"});
      return;
    }
    try {
      const AdminAddress address = parse_admin_address(http);
      if (changes && !address.is_loopback()) {
        m_warnings.push_back(
            {place_of(admin, "http"),
             "http = " + printable(http) +
                 ": the token for changes travels in clear text; bind to 127.0.0.1 "
                 "or put a TLS proxy before the port"});
      }
    } catch (const BadValue& bad) {
      error(place_of(admin, "http"), bad.what());
    }
    if (changes && token_file.empty()) {
      error(place_of(admin, "changes"), "changes = yes needs token_file = /.../token");
    }
  }

  void check_process(const Section& process) {
    for (const Item& item : process.value("io_cpus").items) {
      const std::string& text = std::get<std::string>(item.value);
      int cpu = -1;
      const char* end = text.data() + text.size();
      const auto parsed = std::from_chars(text.data(), end, cpu);
      if (parsed.ec == std::errc{} && parsed.ptr == end && cpu >= 0 && cpu < k_most_cpus) continue;
      error(item.place, "io_cpus = " + printable(text) +
                            ": not a processor; allowed: 0 to 1023, "
                            "with commas between");
    }
  }

  const std::vector<Section>& m_sections;
  Errors& m_errors;
  std::vector<Warning>& m_warnings;
};

}  // namespace

void check_combinations(const std::vector<Section>& sections, Errors& errors,
                        std::vector<Warning>& warnings) {
  Checker(sections, errors, warnings).check();
}

}  // namespace sluice::config
