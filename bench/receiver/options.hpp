// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::bench {

/// What a receiver process is told on its command line, as key=value words.
struct ReceiverOptions {
  /// "raw": plain sockets and just enough ZMTP; "nats", "mqtt", "sp": the same for the protocols of
  /// nats-server, MQTT brokers and nng; "plain", "multicast": no protocol; "zmq": libzmq's SUB.
  std::string kind = "raw";
  std::size_t sources = 1;
  std::size_t subscribers = 1;  ///< take all data
  /// More subscribers, which take no data: each has `idle_topics` topics that nobody publishes.
  /// With two topics or more each also waits for the probes, so that they are known to be in force.
  std::size_t idle = 0;
  std::size_t idle_topics = 0;
  /// Whether to keep the times of the first and the last arrival of each message (with one source).
  enum class Rounds : std::uint8_t {
    none,
    summary,   ///< in the report
    announce,  ///< and say so when every subscriber has a message
  };
  Rounds rounds = Rounds::none;
  std::vector<std::string> endpoints;  ///< every subscriber connects to all of them

  [[nodiscard]] bool idle_probed() const noexcept { return idle_topics >= 2; }
};

[[nodiscard]] std::vector<std::string> to_arguments(const ReceiverOptions& options);
/// Throws std::invalid_argument for a word it does not know.
[[nodiscard]] ReceiverOptions parse_arguments(const std::vector<std::string>& words);

/// The topic of number `index` that an idle subscriber subscribes to.
[[nodiscard]] std::string idle_topic(std::size_t index);

}  // namespace sluice::bench
