// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sluice::app {

/// What the kernel says about this process.
struct ProcessFigures {
  double cpu_seconds = 0;
  double io_cpu_seconds = 0;  ///< libzmq's I/O and reaper threads
  double start_time = 0;      ///< seconds since 1970
  std::uint64_t resident_bytes = 0;
  std::uint64_t virtual_bytes = 0;
  std::uint64_t open_descriptors = 0;
  std::uint64_t most_descriptors = 0;
  std::uint64_t threads = 0;
};

/// Reads /proc/self; a figure that cannot be had is 0. Any thread.
[[nodiscard]] ProcessFigures read_process_figures();

}  // namespace sluice::app
