// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"
#include "measure/histogram.hpp"
#include "receiver/options.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sluice::bench {

using measure::Histogram;

/// What the receiver process counted.
struct Report {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t disorder = 0;
  std::int64_t last_ns = 0;  ///< CLOCK_MONOTONIC of the last data message
  Histogram latency;
  Histogram first;  ///< of the times to the first of all subscribers, when rounds are kept
  Histogram last;
};

/// Owner of a receiver process; the destructor ends it. Every wait throws std::runtime_error when
/// the process fails or the time is over. Used by one thread.
class Receivers {
 public:
  explicit Receivers(const ReceiverOptions& options);
  ~Receivers();
  Receivers(const Receivers&) = delete;
  Receivers& operator=(const Receivers&) = delete;

  /// Returns when every subscriber is connected (raw ones; libzmq does not tell).
  void wait_connected(std::chrono::milliseconds timeout);
  /// Returns when every subscriber has had a probe of every source.
  void wait_ready(std::chrono::milliseconds timeout);
  /// Returns when all subscribers have had the message of a round.
  void wait_round(std::chrono::milliseconds timeout);
  /// Says what each source has sent; returns when all of it has arrived, or nothing more does.
  [[nodiscard]] Report finish(const std::vector<std::uint64_t>& sent,
                              std::chrono::milliseconds timeout);

 private:
  /// The rest of the next message, which must begin with `word`.
  std::string expect(const std::string& word, std::chrono::milliseconds timeout);

  core::Fd m_control;
  pid_t m_process = -1;
};

}  // namespace sluice::bench
