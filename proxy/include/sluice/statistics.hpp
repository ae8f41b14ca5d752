// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/export.h>
#include <sluice/options.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// One side of a route. A message counts once whatever its number of frames; bytes are payload
/// bytes of all its frames. Counters never go back.
struct SideStatistics {
  std::uint64_t received_messages = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t sent_messages = 0;
  std::uint64_t sent_bytes = 0;
};

/// Times counted by their order of magnitude: up to 1 us, up to 2 us, up to 4 us, ... up to 2^22 us
/// (4.2 s), and beyond.
struct TimeCounts {
  std::array<std::uint64_t, 24> by_bucket{};
  std::uint64_t sum_ns = 0;
};

/// How the loop spent its turns.
struct LoopStatistics {
  std::uint64_t wakes = 0;      ///< returns from a wait
  std::uint64_t bursts = 0;     ///< turns that forwarded at least one message
  std::uint64_t holds = 0;      ///< waits with the sources unwatched
  std::uint64_t holds_cut = 0;  ///< holds shortened to keep the sources' marks from overrunning
  std::uint64_t looks = 0;      ///< looks at commands
  std::uint64_t worst_turn_us = 0;
  std::uint64_t cpu_ns = 0;              ///< CPU time of the forwarding thread
  std::uint64_t voluntary_switches = 0;  ///< of the forwarding thread
  TimeCounts turns;  ///< those that forwarded, from the wake or look to the last write, the hold
                     ///< before them included: what a message can have spent in the loop
};

/// What `Route::statistics` copies from atomics; taking it never disturbs the loop.
struct Statistics {
  SideStatistics frontend;
  SideStatistics backend;
  LoopStatistics loop;
  std::uint64_t tap_dropped_messages = 0;
  std::uint64_t upstream_dropped_messages = 0;  ///< user messages from subscribers
  std::uint64_t topics_refused = 0;             ///< over `max_topic` or `max_subscriptions`
  std::uint64_t unroutable_messages = 0;        ///< EHOSTUNREACH
  std::uint64_t backpressure_ns = 0;            ///< time spent waiting for a block sink
};

enum class RouteState : std::uint8_t { starting, running, paused, draining, stopped };

struct SourceStatus {
  std::string name;
  std::string endpoint;
  std::string mode;   ///< "bind" or "connect"
  std::string state;  ///< "listening", "connected" or "waiting"
};

/// One subscriber of a native sink.
struct PeerStatus {
  std::string address;
  std::uint64_t subscriptions = 0;
  std::uint64_t queued_messages = 0;
  std::uint64_t queued_bytes = 0;
  std::uint64_t queue_age_us = 0;
  std::uint64_t delivered_messages = 0;
  std::uint64_t dropped_messages = 0;
};

struct SinkStatus {
  std::string name;
  Engine engine = Engine::zmq;         ///< never `automatic`
  std::vector<std::string> endpoints;  ///< as bound, wildcards resolved
  OnFull on_full = OnFull::drop;
  std::uint64_t peers = 0;
  std::uint64_t subscriptions = 0;
  std::optional<std::uint64_t> dropped_messages;    ///< native only: libzmq tells neither
  std::optional<std::uint64_t> delivered_messages;  ///< native only
  /// Native only: connections that have ended, by reason ("peer_left", "bad_signature",
  /// "old_version", "other_mechanism", "queue_full", ...); reasons that never came are left out.
  std::optional<std::map<std::string, std::uint64_t>> partings;
  std::optional<std::vector<PeerStatus>> peer_table;  ///< native only, at most 1000 rows
};

/// A consistent copy made by the loop.
struct RouteStatus {
  std::string name;
  RouteState state = RouteState::starting;
  std::string reason;  ///< why it stopped; empty while it lives
  Tuning tuning;
  Statistics statistics;
  std::vector<SourceStatus> sources;
  std::vector<SinkStatus> sinks;
};

/// "starting", "running", "paused", "draining", "stopped".
SLUICE_EXPORT const char* to_string(RouteState state) noexcept;
SLUICE_EXPORT const char* to_string(OnFull policy) noexcept;
SLUICE_EXPORT const char* to_string(Engine engine) noexcept;
SLUICE_EXPORT const char* to_string(TuningMode mode) noexcept;

}  // namespace sluice
