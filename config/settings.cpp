// SPDX-License-Identifier: Apache-2.0
#include "config/table.hpp"

#include <array>
#include <limits>

namespace sluice::config {
namespace {

constexpr std::int64_t k_us = 1'000;
constexpr std::int64_t k_ms = 1'000'000;
constexpr std::int64_t k_s = 1'000 * k_ms;
constexpr std::int64_t k_hour = 3'600 * k_s;
constexpr std::int64_t k_kib = 1'024;
constexpr std::int64_t k_mib = 1'024 * k_kib;
constexpr std::int64_t k_gib = 1'024 * k_mib;

// The keys that several kinds share, written once.

constexpr Setting route_of(Kind kind) {
  return {.kind = kind,
          .key = "route",
          .type = Type::route,
          .help = "the route it belongs to; may be left out where there is only one"};
}
constexpr Setting bind_of(Kind kind, std::string_view help) {
  return {.kind = kind, .key = "bind", .type = Type::endpoint, .repeatable = true, .help = help};
}
constexpr Setting connect_of(Kind kind, std::string_view help) {
  return {.kind = kind, .key = "connect", .type = Type::endpoint, .repeatable = true, .help = help};
}
constexpr Setting hwm_of(Kind kind, std::string_view key, std::string_view standard,
                         std::string_view help) {
  return {.kind = kind,
          .key = key,
          .type = Type::count,
          .standard = standard,
          .min = 0,
          .max = 1'000'000'000,
          .word = "unlimited",
          .word_value = 0,
          .help = help};
}
constexpr Setting mode_of(Kind kind, std::string_view standard) {
  return {.kind = kind,
          .key = "mode",
          .type = Type::mode,
          .standard = standard,
          .min = 0,
          .max = 0777,
          .help = "permissions of the files that bound ipc paths make, octal"};
}
constexpr Setting group_of(Kind kind) {
  return {
      .kind = kind, .key = "group", .help = "group of those files, by name; empty = the process's"};
}
constexpr Setting buffer_of(Kind kind, std::string_view key, std::string_view help) {
  return {.kind = kind,
          .key = key,
          .type = Type::size,
          .standard = "0",
          .min = 0,
          .max = k_gib,
          .help = help};
}
constexpr Setting link_time_of(Kind kind, std::string_view key, std::string_view standard,
                               std::int64_t min, std::string_view help) {
  return {.kind = kind,
          .key = key,
          .type = Type::duration,
          .standard = standard,
          .min = min,
          .max = k_hour,
          .step = k_ms,
          .help = help};
}
constexpr Setting sndbuf_of(Kind kind) {
  return buffer_of(kind, "sndbuf", "kernel send buffer, bytes; 0 = the system's");
}
constexpr Setting rcvbuf_of(Kind kind) {
  return buffer_of(kind, "rcvbuf", "kernel receive buffer, bytes; 0 = the system's");
}
constexpr Setting reconnect_of(Kind kind) {
  return link_time_of(kind, "reconnect_interval", "100ms", k_ms,
                      "first pause before a connect is tried again");
}
constexpr Setting reconnect_max_of(Kind kind) {
  return link_time_of(kind, "reconnect_interval_max", "2s", k_ms, "the pause doubles up to this");
}
constexpr Setting user_timeout_of(Kind kind, std::string_view help) {
  return link_time_of(kind, "tcp_user_timeout", "30s", 0, help);
}
constexpr Setting keepalive_of(Kind kind) {
  return {.kind = kind,
          .key = "tcp_keepalive",
          .type = Type::boolean,
          .standard = "yes",
          .help = "TCP keepalive"};
}

constexpr Setting secret_file_of(Kind kind, Change change) {
  return {.kind = kind,
          .key = "curve_secret_file",
          .type = Type::path,
          .change = change,
          .help = "CURVE: a file with the secret key (`sluice keygen`); empty = no CURVE"};
}
constexpr Setting server_key_file_of(Kind kind) {
  return {.kind = kind,
          .key = "curve_server_key_file",
          .type = Type::path,
          .help = "CURVE with connect: a file with the other side's public key"};
}
constexpr Setting allow_file_of(Kind kind) {
  return {.kind = kind,
          .key = "curve_allow_file",
          .type = Type::path,
          .change = Change::reload,
          .help =
              "CURVE with bind: a file with the public keys that may come in, one a line; "
              "empty = whoever knows our public key"};
}
constexpr Setting by_reload(Setting setting) {
  setting.change = Change::reload;
  return setting;
}
constexpr Setting needing_restart(Setting setting) {
  setting.change = Change::restart;
  return setting;
}

constexpr Kind R = Kind::route;
constexpr Kind S = Kind::source;
constexpr Kind G = Kind::generator;
constexpr Kind P = Kind::plugin;
constexpr Kind K = Kind::sink;
constexpr Kind T = Kind::tap;
constexpr Kind A = Kind::admin;

constexpr auto k_settings = std::to_array<Setting>({
    // [route]
    {.kind = R,
     .key = "inbound_poll_rate",
     .type = Type::count,
     .standard = "1000",
     .min = 1,
     .max = 1'000'000'000,
     .change = Change::live,
     .help = "messages forwarded while data is waiting before the loop looks at commands"},
    {.kind = R,
     .key = "max_command_delay",
     .type = Type::duration,
     .standard = "1ms",
     .min = 0,
     .max = 10 * k_s,
     .change = Change::live,
     .help = "the longest a waiting command stays unseen while data flows; 0 = look after every "
             "message"},
    {.kind = R,
     .key = "coalesce_delay",
     .type = Type::duration,
     .standard = "0",
     .min = 0,
     .max = 100 * k_ms,
     .change = Change::live,
     .help = "after a short burst the sources are not watched for this long; 0 = off"},
    {.kind = R,
     .key = "tuning",
     .type = Type::choice,
     .standard = "fixed",
     .choices = "fixed adaptive",
     .change = Change::live,
     .help = "adaptive: the loop measures the rate and holds only while that pays"},
    {.kind = R,
     .key = "latency_budget",
     .type = Type::duration,
     .standard = "1ms",
     .min = k_us,
     .max = 100 * k_ms,
     .change = Change::live,
     .help = "adaptive only: the longest that a single hold may last"},
    {.kind = R,
     .key = "linger",
     .type = Type::duration,
     .standard = "500ms",
     .min = 0,
     .max = k_hour,
     .step = k_ms,
     .change = Change::live,
     .help = "bounds the whole stop, from the command to the last socket closed"},
    {.kind = R,
     .key = "subscribe",
     .type = Type::topic,
     .repeatable = true,
     .change = Change::reload,
     .help = "a static subscription, counts as a sink; \"\" = everything"},
    {.kind = R,
     .key = "max_topic",
     .type = Type::size,
     .standard = "4KiB",
     .min = 1,
     .max = 8 * k_kib,
     .change = Change::restart,
     .help = "longer topics never travel to the sources, bytes"},
    {.kind = R,
     .key = "max_subscriptions",
     .type = Type::count,
     .standard = "1M",
     .min = 1,
     .max = 1'000'000'000,
     .change = Change::restart,
     .help = "distinct topics of the route"},
    // [source]
    route_of(S),
    by_reload(bind_of(
        S, "where publishers of other processes come in: tcp://address:port or ipc://path")),
    by_reload(connect_of(S, "a publisher to go to: tcp://host:port or ipc://path")),
    hwm_of(S, "recv_hwm", "10k", "messages held for each publisher; 0 = unlimited"),
    {.kind = S,
     .key = "max_message_size",
     .type = Type::size,
     .standard = "unlimited",
     .min = 0,
     .max = std::numeric_limits<std::int64_t>::max(),
     .word = "unlimited",
     .word_value = -1,
     .help = "largest frame that a publisher may send, bytes"},
    sndbuf_of(S),
    rcvbuf_of(S),
    reconnect_of(S),
    reconnect_max_of(S),
    user_timeout_of(S, "silence of a TCP peer after which it is given up; 0 = off"),
    keepalive_of(S),
    mode_of(S, "0660"),
    group_of(S),
    secret_file_of(S, Change::recreate),
    server_key_file_of(S),
    allow_file_of(S),
    // [generator]
    route_of(G),
    {.kind = G,
     .key = "rate",
     .type = Type::count,
     .standard = "10k",
     .min = 0,
     .max = 1'000'000'000,
     .help = "messages per second; 0 = as fast as possible"},
    {.kind = G,
     .key = "size",
     .type = Type::size,
     .standard = "100",
     .min = 1,
     .max = k_gib,
     .help = "bytes of a message, the topic included"},
    {.kind = G,
     .key = "topics",
     .type = Type::list,
     .standard = "a",
     .help = "what the messages begin with, taken in turn, with commas between"},
    {.kind = G,
     .key = "frames",
     .type = Type::count,
     .standard = "1",
     .min = 1,
     .max = 1'000,
     .help = "frames of a message"},
    hwm_of(G, "send_hwm", "1k", "messages held for the route; 0 = unlimited"),
    {.kind = G,
     .key = "pattern",
     .type = Type::choice,
     .standard = "even",
     .choices = "even ticked",
     .help = "even: each message at its own moment; ticked: what is due, once a millisecond"},
    // [plugin]
    {.kind = P,
     .key = "route",
     .type = Type::route,
     .change = Change::restart,
     .help = "the route it belongs to; may be left out where there is only one"},
    {.kind = P,
     .key = "path",
     .type = Type::path,
     .change = Change::restart,
     .help = "the shared object, a complete path"},
    {.kind = P, .key = "args", .change = Change::restart, .help = "handed to the plug-in as it is"},
    // [sink]
    route_of(K),
    {.kind = K,
     .key = "engine",
     .type = Type::choice,
     .standard = "auto",
     .choices = "auto zmq native",
     .help = "auto: native where it can (bound tcp and ipc only), else zmq"},
    by_reload(bind_of(K, "where subscribers attach: tcp://address:port or ipc://path")),
    connect_of(K, "a subscriber to go to; engine zmq only"),
    hwm_of(K, "send_hwm", "10k", "messages held for each subscriber; 0 = unlimited"),
    {.kind = K,
     .key = "send_hwm_bytes",
     .type = Type::size,
     .standard = "64MiB",
     .min = 0,
     .max = 1'024 * k_gib,
     .word = "unlimited",
     .word_value = 0,
     .native_only = true,
     .help = "bytes held for each subscriber; 0 = unlimited"},
    {.kind = K,
     .key = "on_full",
     .type = Type::choice,
     .standard = "drop",
     .choices = "drop block disconnect",
     .change = Change::live,
     .help = "for a subscriber whose queue is full; live between drop and disconnect (native)"},
    {.kind = K,
     .key = "block_timeout",
     .type = Type::duration,
     .standard = "0",
     .min = 0,
     .max = k_hour,
     .step = k_ms,
     .native_only = true,
     .help = "a subscriber that holds a block sink this long is cut; 0 = never"},
    {.kind = K,
     .key = "out_batch",
     .type = Type::size,
     .standard = "64KiB",
     .min = k_kib,
     .max = 16 * k_mib,
     .native_only = true,
     .help = "largest gathered write, bytes"},
    {.kind = K,
     .key = "nodelay",
     .type = Type::boolean,
     .standard = "yes",
     .native_only = true,
     .help = "TCP_NODELAY; the zmq engine always sets it"},
    {.kind = K,
     .key = "handshake_timeout",
     .type = Type::duration,
     .standard = "30s",
     .min = k_ms,
     .max = k_hour,
     .step = k_ms,
     .native_only = true,
     .help = "time for a new connection to say what it is"},
    {.kind = K,
     .key = "max_upstream_size",
     .type = Type::size,
     .standard = "64KiB",
     .min = 256,
     .max = k_gib,
     .help = "largest frame that a subscriber may send, bytes"},
    {.kind = K,
     .key = "max_peers",
     .type = Type::count,
     .standard = "0",
     .min = 0,
     .max = 1'000'000,
     .word = "unlimited",
     .word_value = 0,
     .native_only = true,
     .help = "subscribers at a time; 0 = unlimited"},
    link_time_of(K, "heartbeat_interval", "5s", 0,
                 "ZMTP heartbeats of drop and disconnect sinks; 0 = off"),
    link_time_of(K, "heartbeat_timeout", "15s", k_ms, "silence after which a subscriber is cut"),
    sndbuf_of(K),
    rcvbuf_of(K),
    reconnect_of(K),
    reconnect_max_of(K),
    user_timeout_of(K, "native block sinks: silence of a TCP peer until it is given up; 0 = off"),
    keepalive_of(K),
    mode_of(K, "0660"),
    group_of(K),
    secret_file_of(K, Change::recreate),
    server_key_file_of(K),
    allow_file_of(K),
    // [tap]
    route_of(T),
    {.kind = T,
     .key = "type",
     .type = Type::choice,
     .standard = "push",
     .choices = "push pub pair",
     .help = "socket type of the capture copy"},
    bind_of(T, "where the reader of the copy attaches"),
    connect_of(T, "a reader to go to"),
    hwm_of(T, "send_hwm", "10k", "messages held; what does not fit is dropped and counted"),
    mode_of(T, "0660"),
    group_of(T),
    // [control]
    needing_restart(bind_of(Kind::control, "where controllers attach, ipc://path")),
    {.kind = Kind::control,
     .key = "type",
     .type = Type::choice,
     .standard = "rep",
     .choices = "rep router pair sub pull",
     .change = Change::restart,
     .help = "socket type; sub and pull never answer"},
    needing_restart(mode_of(Kind::control, "0600")),
    needing_restart(group_of(Kind::control)),
    secret_file_of(Kind::control, Change::restart),
    allow_file_of(Kind::control),
    {.kind = Kind::control,
     .key = "allow_plain_tcp",
     .type = Type::boolean,
     .standard = "no",
     .change = Change::restart,
     .help = "accept tcp without CURVE in bind: whoever reaches the port can stop the proxy"},
    // [admin]
    {.kind = A,
     .key = "http",
     .change = Change::restart,
     .help = "address:port of the HTTP server, or a port of 127.0.0.1; empty = none"},
    {.kind = A,
     .key = "changes",
     .type = Type::boolean,
     .standard = "no",
     .change = Change::restart,
     .help = "whether POST may pause, resume, reload and change settings; needs token_file"},
    {.kind = A,
     .key = "token_file",
     .type = Type::path,
     .change = Change::restart,
     .help = "a file with the token that a POST has to bring; read anew at every POST"},
    {.kind = A,
     .key = "paused_is_ready",
     .type = Type::boolean,
     .standard = "yes",
     .change = Change::restart,
     .help = "what /readyz says of a paused route"},
    {.kind = A,
     .key = "max_connections",
     .type = Type::count,
     .standard = "64",
     .min = 1,
     .max = 10'000,
     .change = Change::restart,
     .help = "HTTP connections at a time; more are closed at once"},
    {.kind = A,
     .key = "request_timeout",
     .type = Type::duration,
     .standard = "5s",
     .min = 100 * k_ms,
     .max = 60 * k_s,
     .step = k_ms,
     .change = Change::restart,
     .help = "for a request to arrive, and for its answer to be taken"},
    // [log]
    {.kind = Kind::log,
     .key = "format",
     .type = Type::choice,
     .standard = "text",
     .choices = "text json",
     .change = Change::restart,
     .help = "one line an event, to stderr"},
    {.kind = Kind::log,
     .key = "level",
     .type = Type::choice,
     .standard = "info",
     .choices = "debug info warning error",
     .change = Change::live,
     .help = "the least that is logged"},
    // [process]
    {.kind = Kind::process,
     .key = "io_threads",
     .type = Type::count,
     .standard = "1",
     .min = 1,
     .max = 64,
     .change = Change::restart,
     .help = "libzmq's I/O threads"},
    {.kind = Kind::process,
     .key = "max_sockets",
     .type = Type::count,
     .standard = "1023",
     .min = 16,
     .max = 65'535,
     .change = Change::restart,
     .help = "libzmq sockets at a time (subscribers are not sockets)"},
    {.kind = Kind::process,
     .key = "io_cpus",
     .type = Type::list,
     .change = Change::restart,
     .help = "processors for the I/O threads, with commas between; empty = any"},
    {.kind = Kind::process,
     .key = "pid_file",
     .type = Type::path,
     .change = Change::restart,
     .help = "a file for the process's number; empty = none"},
});

}  // namespace

std::span<const Setting> settings() noexcept {
  return k_settings;
}

}  // namespace sluice::config
