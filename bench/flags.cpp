// SPDX-License-Identifier: Apache-2.0
#include "flags.hpp"

#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>

namespace sluice::bench {

PathOptions Flags::path_options() const {
  PathOptions options;
  options.recv_hwm = hwm;
  options.send_hwm = hwm;
  options.inbound_poll_rate = inbound_poll_rate;
  options.max_command_delay = max_command_delay;
  options.adaptive = adaptive;
  options.sidecar = sidecar;
  options.front = front;
  options.back = back;
  options.process = process;
  return options;
}

Flags take_flags(std::vector<char*>& arguments) {
  Flags flags;
  const std::map<std::string_view, std::function<void(const std::string&)>> known{
      {"--seconds", [&](const std::string& v) { flags.seconds = std::stod(v); }},
      {"--receiver",
       [&](const std::string& v) {
         if (v != "raw" && v != "zmq") throw std::invalid_argument("raw or zmq");
         flags.receiver = v;
       }},
      {"--steal_limit", [&](const std::string& v) { flags.steal_limit = std::stod(v); }},
      {"--steal_retries", [&](const std::string& v) { flags.steal_retries = std::stoi(v); }},
      {"--reverse", [&](const std::string& v) { flags.reverse = v != "false"; }},
      {"--hwm", [&](const std::string& v) { flags.hwm = std::stoi(v); }},
      {"--mxfast", [&](const std::string& v) { flags.mxfast = std::stoi(v); }},
      {"--round_gap_ms",
       [&](const std::string& v) { flags.round_gap = std::chrono::milliseconds(std::stol(v)); }},
      {"--inbound_poll_rate",
       [&](const std::string& v) {
         flags.inbound_poll_rate = static_cast<std::uint32_t>(std::stoul(v));
       }},
      {"--max_command_delay_us",
       [&](const std::string& v) {
         flags.max_command_delay = std::chrono::microseconds(std::stol(v));
       }},
      {"--sidecar", [&](const std::string& v) { flags.sidecar = v; }},
      {"--front", [&](const std::string& v) { flags.front = v; }},
      {"--back", [&](const std::string& v) { flags.back = v; }},
      {"--process", [&](const std::string& v) { flags.process = std::stoi(v); }},
      {"--adaptive", [&](const std::string& v) { flags.adaptive = v != "false"; }},
  };
  std::vector<char*> rest;
  for (char* const argument : arguments) {
    const std::string_view text(argument);
    const auto equals = text.find('=');
    const auto found = known.find(text.substr(0, equals));
    if (found == known.end()) {
      rest.push_back(argument);
      continue;
    }
    const bool has_value = equals != std::string_view::npos;
    try {
      found->second(std::string(has_value ? text.substr(equals + 1) : "true"));
    } catch (const std::exception&) {
      throw std::invalid_argument("bad value: " + std::string(text));
    }
  }
  arguments = rest;
  return flags;
}

const char* flags_help() noexcept {
  return "sluice-bench's own flags:\n"
         "  --seconds=3                how long each load lasts\n"
         "  --receiver=raw|zmq         light raw subscribers, or libzmq's SUB\n"
         "  --hwm=10000                recv_hwm and send_hwm of every path\n"
         "  --mxfast=BYTES             mallopt(M_MXFAST) of the publishing process, for all "
         "variants\n"
         "  --round_gap_ms=2           fan-out latency: pause between a message that all have\n"
         "                             and the next one\n"
         "  --steal_limit=5            per cent of steal time above which a measurement is "
         "repeated\n"
         "  --steal_retries=2          how often it is\n"
         "  --reverse                  registers the benchmarks in the opposite order\n"
         "  --inbound_poll_rate=1000   of our own variants\n"
         "  --max_command_delay_us=1000\n"
         "  --sidecar=FILE             the binary `sluice` of the family process, where it is\n"
         "                             neither beside this one nor in its build tree\n"
         "  --front=E --back=E --process=PID   a proxy that runs already: where publishers and\n"
         "                             subscribers connect, and its process; adds the family\n"
         "                             external\n"
         "  --adaptive                 makes holds the latency budget of adaptive mode\n"
         "Google Benchmark's flags:\n";
}

}  // namespace sluice::bench
