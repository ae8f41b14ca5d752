// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/tuning.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// What a sink does with a message for a subscriber whose queue is full.
enum class OnFull : std::uint8_t {
  drop,        ///< that subscriber misses the message
  block,       ///< the whole route waits for room; sources feel it
  disconnect,  ///< that subscriber is cut (native engine only)
};

enum class Engine : std::uint8_t {
  automatic,  ///< native where it can (bound tcp/ipc), else zmq
  zmq,        ///< a libzmq XPUB socket
  native,     ///< our own ZMTP publisher
};

enum class TapType : std::uint8_t { push, pub, pair };

/// TCP and ZMTP link settings; 0 leaves the system's or libzmq's default unless said otherwise.
struct LinkOptions {
  int sndbuf = 0;                                           ///< kernel send buffer, bytes
  int rcvbuf = 0;                                           ///< kernel receive buffer, bytes
  std::chrono::milliseconds reconnect_interval{100};        ///< first pause before a reconnect
  std::chrono::milliseconds reconnect_interval_max{2'000};  ///< back-off ends here
  std::chrono::milliseconds heartbeat_interval{5'000};      ///< drop and disconnect sinks; 0 = off
  std::chrono::milliseconds heartbeat_timeout{15'000};      ///< silence after which a peer is cut
  std::chrono::milliseconds tcp_user_timeout{30'000};  ///< sources and native block sinks; 0 = off
  bool tcp_keepalive = true;

  bool operator==(const LinkOptions&) const = default;
};

/// CURVE (RFC 26), zmq engine only. A socket that binds is the server, one that connects the
/// client; one with CURVE does one of the two. Keys are Z85, 40 characters.
struct CurveOptions {
  std::string secret_key;  ///< empty: no CURVE
  std::string server_key;  ///< clients: the server's public key
  std::string zap_domain;  ///< servers: what a ZAP handler of the context is asked with

  bool operator==(const CurveOptions&) const = default;
};

/// Mode and group of the file that a bound ipc path makes; never wider than this at any moment.
struct IpcFileOptions {
  unsigned mode = 0660;
  std::string group;  ///< a group's name; empty = the process's

  bool operator==(const IpcFileOptions&) const = default;
};

/// One XSUB frontend. At least one endpoint, unless sources are attached later.
struct SourceOptions {
  std::string name;                    ///< [a-z0-9-]{1,32}
  std::vector<std::string> bind;       ///< inproc://, ipc://, tcp://
  std::vector<std::string> connect;    ///< as above
  int recv_hwm = 10'000;               ///< messages per source; 0 = unlimited
  std::int64_t max_message_size = -1;  ///< bytes a remote source may send; -1 = unlimited
  LinkOptions link;
  IpcFileOptions ipc;
  CurveOptions curve;

  bool operator==(const SourceOptions&) const = default;
};

/// Where subscribers attach.
struct SinkOptions {
  std::string name;  ///< [a-z0-9-]{1,32}
  Engine engine = Engine::automatic;
  std::vector<std::string> bind;
  std::vector<std::string> connect;          ///< zmq engine only
  int send_hwm = 10'000;                     ///< messages per subscriber; 0 = unlimited
  std::int64_t send_hwm_bytes = 64LL << 20;  ///< bytes per subscriber (native); 0 = unlimited
  OnFull on_full = OnFull::drop;
  std::size_t out_batch = 64U << 10;                    ///< largest gathered write, bytes (native)
  bool nodelay = true;                                  ///< native; libzmq always sets TCP_NODELAY
  std::chrono::milliseconds block_timeout{0};           ///< native block sinks; 0 = never
  std::chrono::milliseconds handshake_timeout{30'000};  ///< native
  std::int64_t max_upstream_size = 64LL << 10;  ///< bytes of one frame that a subscriber may send
  std::uint32_t max_peers = 0;                  ///< native; 0 = unlimited
  LinkOptions link;
  IpcFileOptions ipc;
  CurveOptions curve;  ///< zmq engine only

  bool operator==(const SinkOptions&) const = default;
};

/// The capture copy of the data: lossy, never blocks.
struct TapOptions {
  std::string name = "tap";
  TapType type = TapType::push;
  std::vector<std::string> bind;
  std::vector<std::string> connect;
  int send_hwm = 10'000;
  IpcFileOptions ipc;

  bool operator==(const TapOptions&) const = default;
};

enum class Severity : std::uint8_t { debug, info, warning, error };

/// Something an operator may want to read. Never one per message.
struct Event {
  Severity severity;
  std::string_view route;
  std::string_view text;
};

/// Called on the forwarding thread: must be quick and must not throw or call the route.
using EventHandler = std::function<void(const Event&)>;

/// A plain value; `Route` copies and validates it.
struct RouteOptions {
  std::string name = "default";  ///< [a-z0-9-]{1,32}
  Tuning tuning;
  std::vector<SourceOptions> sources;
  std::vector<SinkOptions> sinks;  ///< one at least, 64 at most
  std::optional<TapOptions> tap;
  std::vector<std::string> subscribe;     ///< static subscriptions, byte strings; count as a sink
  std::chrono::milliseconds linger{500};  ///< bounds the whole stop, command to last socket closed
  std::size_t max_topic = 4096;           ///< bytes; longer topics never travel upstream; to 8192
  std::size_t max_subscriptions = 1'000'000;  ///< distinct topics of the route
  EventHandler on_event;
};

}  // namespace sluice
