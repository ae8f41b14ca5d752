// SPDX-License-Identifier: Apache-2.0
#include "config/admin_address.hpp"
#include "config/build.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace sluice::config {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// The table's ranges keep every narrowing here within its type.
template <typename T>
T number(const Section& section, std::string_view key) {
  return static_cast<T>(section.number(key));
}

milliseconds millis(const Section& section, std::string_view key) {
  return duration_cast<milliseconds>(nanoseconds{section.number(key)});
}

// The position of the word among the setting's choices, which stand in the enumeration's order.
template <typename T>
T choice(const Section& section, std::string_view key) {
  const auto words = choices(*section.value(key).setting);
  const auto found = std::find(words.begin(), words.end(), section.text(key));
  return static_cast<T>(found == words.end() ? 0 : found - words.begin());
}

sluice::IpcFileOptions ipc(const Section& section) {
  return {.mode = number<unsigned>(section, "mode"), .group = section.text("group")};
}

void link(const Section& section, sluice::LinkOptions& options) {
  options.sndbuf = number<int>(section, "sndbuf");
  options.rcvbuf = number<int>(section, "rcvbuf");
  options.reconnect_interval = millis(section, "reconnect_interval");
  options.reconnect_interval_max = millis(section, "reconnect_interval_max");
  options.tcp_user_timeout = millis(section, "tcp_user_timeout");
  options.tcp_keepalive = section.flag("tcp_keepalive");
}

}  // namespace

sluice::RouteOptions route_options(const Section& section) {
  sluice::RouteOptions options;
  options.name = section.name;
  options.tuning.inbound_poll_rate = number<std::uint32_t>(section, "inbound_poll_rate");
  options.tuning.max_command_delay = nanoseconds{section.number("max_command_delay")};
  options.tuning.coalesce_delay = nanoseconds{section.number("coalesce_delay")};
  options.tuning.mode = choice<sluice::TuningMode>(section, "tuning");
  options.tuning.latency_budget = nanoseconds{section.number("latency_budget")};
  options.linger = millis(section, "linger");
  options.subscribe = section.strings("subscribe");
  options.max_topic = number<std::size_t>(section, "max_topic");
  options.max_subscriptions = number<std::size_t>(section, "max_subscriptions");
  return options;
}

sluice::SourceOptions source_options(const Section& section) {
  sluice::SourceOptions options;
  options.name = section.name;
  options.bind = section.strings("bind");
  options.connect = section.strings("connect");
  options.recv_hwm = number<int>(section, "recv_hwm");
  options.max_message_size = section.number("max_message_size");
  link(section, options.link);
  options.ipc = ipc(section);
  return options;
}

sluice::SinkOptions sink_options(const Section& section) {
  sluice::SinkOptions options;
  options.name = section.name;
  options.engine = choice<sluice::Engine>(section, "engine");
  options.bind = section.strings("bind");
  options.connect = section.strings("connect");
  options.send_hwm = number<int>(section, "send_hwm");
  options.send_hwm_bytes = section.number("send_hwm_bytes");
  options.on_full = choice<sluice::OnFull>(section, "on_full");
  options.out_batch = number<std::size_t>(section, "out_batch");
  options.nodelay = section.flag("nodelay");
  options.block_timeout = millis(section, "block_timeout");
  options.handshake_timeout = millis(section, "handshake_timeout");
  options.max_upstream_size = section.number("max_upstream_size");
  options.max_peers = number<std::uint32_t>(section, "max_peers");
  link(section, options.link);
  options.link.heartbeat_interval = millis(section, "heartbeat_interval");
  options.link.heartbeat_timeout = millis(section, "heartbeat_timeout");
  options.ipc = ipc(section);
  return options;
}

sluice::TapOptions tap_options(const Section& section) {
  sluice::TapOptions options;
  options.name = section.name;
  options.type = choice<sluice::TapType>(section, "type");
  options.bind = section.strings("bind");
  options.connect = section.strings("connect");
  options.send_hwm = number<int>(section, "send_hwm");
  options.ipc = ipc(section);
  return options;
}

GeneratorOptions generator_options(const Section& section) {
  GeneratorOptions options;
  options.name = section.name;
  options.route = section.text("route");
  options.rate = number<std::uint64_t>(section, "rate");
  options.size = number<std::size_t>(section, "size");
  options.topics = section.strings("topics");
  options.frames = number<unsigned>(section, "frames");
  options.send_hwm = number<int>(section, "send_hwm");
  options.pattern = choice<Pattern>(section, "pattern");
  return options;
}

PluginOptions plugin_options(const Section& section) {
  return {.name = section.name,
          .route = section.text("route"),
          .path = section.text("path"),
          .args = section.text("args")};
}

ControlOptions control_options(const Section& section) {
  return {.bind = section.strings("bind"),
          .type = choice<ControlType>(section, "type"),
          .ipc = ipc(section)};
}

AdminOptions admin_options(const Section& section) {
  const AdminAddress address = parse_admin_address(section.text("http"));
  return {.address = address.host,
          .port = address.port,
          .changes = section.flag("changes"),
          .token_file = section.text("token_file"),
          .paused_is_ready = section.flag("paused_is_ready"),
          .max_connections = number<unsigned>(section, "max_connections"),
          .request_timeout = millis(section, "request_timeout")};
}

LogOptions log_options(const Section& section) {
  return {.format = choice<LogFormat>(section, "format"),
          .level = choice<LogLevel>(section, "level")};
}

ProcessOptions process_options(const Section& section) {
  ProcessOptions options;
  options.io_threads = number<int>(section, "io_threads");
  options.max_sockets = number<int>(section, "max_sockets");
  options.pid_file = section.text("pid_file");
  for (const std::string& text : section.strings("io_cpus")) {
    int cpu = -1;
    std::from_chars(text.data(), text.data() + text.size(), cpu);
    options.io_cpus.push_back(cpu);
  }
  return options;
}

}  // namespace sluice::config
