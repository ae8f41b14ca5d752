// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace sluice::bench {

/// How long a new subscriber took for each step, in nanoseconds.
struct Steps {
  std::int64_t create = 0;   ///< the socket
  std::int64_t connect = 0;  ///< until it may speak (raw), until the call returned (libzmq)
  std::int64_t first = 0;    ///< from its subscription to the first message
  std::int64_t close = 0;

  [[nodiscard]] std::int64_t total() const noexcept { return create + connect + first + close; }
};

/// Creates a subscriber, connects it, waits for the first message of `topic` and closes it. Throws
/// std::runtime_error, also when no message comes within 10 s.
[[nodiscard]] Steps raw_newcomer(const std::string& endpoint, const std::string& topic);
/// The same by a client that looks for answers every 10 ms and is not woken by them: what the
/// client of the measurement of 2025 did.
[[nodiscard]] Steps timed_newcomer(const std::string& endpoint, const std::string& topic);
[[nodiscard]] Steps zmq_newcomer(void* context, const std::string& endpoint,
                                 const std::string& topic);

}  // namespace sluice::bench
