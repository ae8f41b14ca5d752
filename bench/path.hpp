// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outlet/plain_options.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sluice::bench {

/// How the thing measured is set up; the same for every variant.
struct PathOptions {
  std::string transport = "tcp";  ///< of the sink: "tcp" or "ipc"
  std::size_t sources = 4;
  int recv_hwm = 10'000;
  int send_hwm = 10'000;
  bool block = true;  ///< a full subscriber holds the path up; else it loses messages
  // Ours only.
  std::uint32_t inbound_poll_rate = 1000;
  std::chrono::microseconds max_command_delay{1000};
  std::chrono::microseconds hold{0};
  std::size_t out_batch = 64U << 10;
  bool nodelay = true;
  bool adaptive = false;
  std::string sidecar;      ///< the file of our own binary; empty: look for it
  std::uint32_t burst = 1;  ///< of the variant "polled": messages between two polls
  PlainOptions plain;
  // A proxy that somebody else has started.
  std::string front;  ///< publishers connect here
  std::string back;   ///< and subscribers here
  pid_t process = 0;  ///< as this process sees it
};

/// What publishers and subscribers have to speak.
enum class Wire : std::uint8_t { zmtp, nats, mqtt, sp, plain, multicast };

/// A variant that this build or machine cannot run; the benchmark is reported as skipped by name.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a path says about itself besides CPU time and system calls, by counter name.
using PathCounters = std::map<std::string, double>;

/// From the sources to the wire: a proxy of some kind or none. One object per measurement; used
/// by the measuring thread only.
class Path {
 public:
  virtual ~Path() = default;

  /// Opens everything. Throws Unavailable, or any other exception for a failure.
  virtual void start() = 0;
  /// Closes everything; undelivered messages may be lost.
  virtual void stop() = 0;

  /// Where source `index` publishes, and whether it binds there (a path without a proxy).
  [[nodiscard]] virtual std::string source_endpoint(std::size_t index) const = 0;
  [[nodiscard]] virtual bool sources_bind() const { return false; }
  /// What every subscriber connects to; empty when the sources bind or nobody can subscribe.
  [[nodiscard]] virtual std::vector<std::string> subscriber_endpoints() const = 0;

  /// The threads that forward, as thread ids of this process; libzmq's own are found by name.
  [[nodiscard]] virtual std::vector<pid_t> forwarding_threads() const { return {}; }

  /// The intermediary, where it is a process of its own; else 0.
  [[nodiscard]] virtual pid_t process() const { return 0; }
  [[nodiscard]] virtual Wire wire() const { return Wire::zmtp; }

  /// A path that ends in itself: how many sources its probes have come from, how many data
  /// messages have arrived and when the last did (CLOCK_MONOTONIC).
  [[nodiscard]] virtual bool is_receiver() const { return false; }
  [[nodiscard]] virtual std::size_t probed_sources() const { return 0; }
  [[nodiscard]] virtual std::uint64_t received() const { return 0; }
  [[nodiscard]] virtual std::int64_t last_received_ns() const { return 0; }

  [[nodiscard]] virtual PathCounters counters() const { return {}; }
  /// One steering command and its answer, where the path can be steered: how long that took.
  [[nodiscard]] virtual std::optional<std::chrono::nanoseconds> command() { return std::nullopt; }
};

/// By name: "stock", "polled", "zmq", "native", "direct", "null"; "loop", "multicast" and "wire",
/// which know no ZeroMQ; and "process:" with the name of a program behind it
/// (process/programs.hpp); "external" is the one that the options name. Throws Unavailable for any
/// other. `context` is libzmq's and outlives the path.
std::unique_ptr<Path> make_path(const std::string& variant, void* context, PathOptions options);

}  // namespace sluice::bench
