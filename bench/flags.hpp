// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "path.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::bench {

/// Our own command-line flags, for every benchmark of the run.
struct Flags {
  double seconds = 3.0;          ///< how long a load lasts
  std::string receiver = "raw";  ///< "raw" or "zmq"
  double steal_limit = 5.0;      ///< per cent; a measurement with more is repeated
  int steal_retries = 2;
  bool reverse = false;  ///< registers the benchmarks in the opposite order
  int hwm = 10'000;
  int mxfast = 0;  ///< mallopt(M_MXFAST) of the publishing process, bytes; 0: what glibc has
  std::chrono::milliseconds round_gap{2};  ///< fan-out latency: pause before each message
  // Ours only.
  std::uint32_t inbound_poll_rate = 1000;
  std::chrono::microseconds max_command_delay{1000};
  std::string sidecar;    ///< the file of our own binary
  std::string front;      ///< of a proxy that runs already: publishers connect here
  std::string back;       ///< and subscribers here
  int process = 0;        ///< its process
  bool adaptive = false;  ///< holds become budgets of the adaptive mode

  [[nodiscard]] std::chrono::nanoseconds duration() const {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
  }
  [[nodiscard]] PathOptions path_options() const;
};

/// Takes our flags out of `arguments`. Throws std::invalid_argument for a bad value; leaves what
/// it does not know.
Flags take_flags(std::vector<char*>& arguments);

/// One line for each flag.
const char* flags_help() noexcept;

}  // namespace sluice::bench
