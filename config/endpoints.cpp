// SPDX-License-Identifier: Apache-2.0
#include "config/build.hpp"
#include "config/endpoint.hpp"
#include "config/text.hpp"

#include <fstream>
#include <utility>

namespace sluice::config {
namespace {

std::pair<int, int> ephemeral_ports() {
  std::pair<int, int> range{32'768, 60'999};
  std::ifstream file("/proc/sys/net/ipv4/ip_local_port_range");
  int low = 0;
  int high = 0;
  if (file >> low >> high) range = {low, high};
  return range;
}

bool is_here(const Endpoint& e) {
  return e.host == "localhost" || e.host.starts_with("127.") || (e.bracketed && e.host == "::1");
}

struct Known {
  Endpoint endpoint;
  EndpointUse use;
  const Section* section;
  Place place;
};

class EndpointChecker {
 public:
  EndpointChecker(const std::string& directory, Errors& errors, std::vector<Warning>& warnings)
      : m_directory(directory), m_errors(errors), m_warnings(warnings) {}

  void check(Section& section) {
    for (Value& value : section.values) {
      if (value.setting->type != Type::endpoint) continue;
      const auto use = value.setting->key == "bind" ? EndpointUse::bind : EndpointUse::connect;
      for (Item& item : value.items) check(section, item, use);
    }
  }

 private:
  void check(const Section& section, Item& item, EndpointUse use) {
    auto& text = std::get<std::string>(item.value);
    try {
      Endpoint endpoint = parse_endpoint(text, use, m_directory);
      text = endpoint.text();
      check_control(section, item, endpoint);
      Known known{std::move(endpoint), use, &section, item.place};
      if (use == EndpointUse::connect) warn_of_self(known);
      check_clash(known);
      m_known.push_back(std::move(known));
    } catch (const BadValue& bad) {
      m_errors.push_back({item.place, bad.what()});
    }
  }

  void check_control(const Section& section, const Item& item, const Endpoint& endpoint) {
    if (section.kind != Kind::control || endpoint.transport != Transport::tcp) return;
    if (!section.text("curve_secret_file").empty()) return;
    if (section.flag("allow_plain_tcp")) {
      m_warnings.push_back(
          {item.place, "whoever reaches " + endpoint.text() + " can steer and stop this proxy"});
      return;
    }
    m_errors.push_back({item.place, endpoint.text() +
                                        ": whoever reaches a tcp control port can stop the proxy;"
                                        " use ipc://path, or CURVE (curve_secret_file and"
                                        " curve_allow_file), or set allow_plain_tcp = yes"});
  }

  void check_clash(const Known& known) {
    for (const Known& other : m_known) {
      if (!overlap(known.endpoint, other.endpoint)) continue;
      if (known.use == EndpointUse::bind && other.use == EndpointUse::bind) {
        m_errors.push_back({known.place, known.endpoint.text() + " is bound already, as " +
                                             other.endpoint.text() + " of " +
                                             other.section->title() + " at " + other.place.text()});
        return;
      }
      check_loop(known, other);
      check_loop(other, known);
    }
  }

  // A source that connects to a sink of its own route would get its own output for ever.
  void check_loop(const Known& source, const Known& sink) {
    if (source.section->kind != Kind::source || source.use != EndpointUse::connect) return;
    if (sink.section->kind != Kind::sink || sink.use != EndpointUse::bind) return;
    if (source.section->text("route") != sink.section->text("route")) return;
    // Another machine may well use the same port.
    const bool same = source.endpoint.host == sink.endpoint.host;
    if (!same && !is_here(source.endpoint)) return;
    m_errors.push_back({source.place, source.endpoint.text() + " is " + sink.section->title() +
                                          " of the same route: its output would come in again"});
  }

  void warn_of_self(const Known& known) {
    const Endpoint& e = known.endpoint;
    if (e.transport != Transport::tcp || !is_here(e)) return;
    const auto [low, high] = m_ephemeral;
    if (e.port < low || e.port > high) return;
    m_warnings.push_back({known.place, e.text() +
                                           " lies among the ports that the system hands out (" +
                                           std::to_string(low) + " to " + std::to_string(high) +
                                           "): while nobody listens there, something else may; "
                                           "take a port outside of them"});
  }

  const std::string& m_directory;
  Errors& m_errors;
  std::vector<Warning>& m_warnings;
  std::pair<int, int> m_ephemeral = ephemeral_ports();
  std::vector<Known> m_known;
};

}  // namespace

void check_endpoints(std::vector<Section>& sections, const std::string& directory, Errors& errors,
                     std::vector<Warning>& warnings) {
  EndpointChecker checker(directory, errors, warnings);
  for (Section& section : sections) checker.check(section);
}

}  // namespace sluice::config
