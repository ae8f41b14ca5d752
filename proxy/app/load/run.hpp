// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/load/options.hpp"
#include "measure/histogram.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace sluice::app::load {

/// What a load has come to.
struct Result {
  std::uint64_t sent = 0;
  std::uint64_t unsent = 0;  ///< due, but not sent when the time was over
  double send_seconds = 0;
  measure::Histogram lateness;  ///< of the publishers themselves; nothing in a flood

  std::uint64_t received = 0;  ///< by all subscribers
  std::uint64_t fewest = 0;    ///< by the subscriber that has had the fewest
  std::uint64_t received_bytes = 0;
  std::optional<std::uint64_t> expected;  ///< by all; known where publishers are ours
  std::uint64_t lost = 0;
  std::uint64_t disorder = 0;
  std::uint64_t foreign = 0;  ///< messages that no load or generator has made
  double receive_seconds = 0;
  measure::Histogram latency;  ///< from when a message was due
  bool interrupted = false;

  [[nodiscard]] bool clean() const noexcept {
    return lost == 0 && disorder == 0 && (received > 0 || !expected);
  }
};

/// Nobody appeared on the other side in time.
class NobodyThere : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Progress {
  double done = 0;  ///< 0 to 1; 0 while the other side is awaited
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

/// Called about ten times a second; false ends the load early.
using OnProgress = std::function<bool(const Progress&)>;

/// Connects, waits until the other side is there, carries the load out and waits for what is on its
/// way. Throws UsageError, NobodyThere, zmq::error_t.
[[nodiscard]] Result run_load(const Options& options, const OnProgress& on_progress);

}  // namespace sluice::app::load
