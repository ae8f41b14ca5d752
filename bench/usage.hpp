// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/syscalls.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sluice::bench {

/// What this process and the machine have used up at one moment.
struct Usage {
  std::int64_t forwarding_cpu_ns = 0;
  std::int64_t io_cpu_ns = 0;  ///< libzmq's I/O threads
  std::int64_t process_cpu_ns = 0;
  std::optional<SyscallCounts> syscalls;
  std::uint64_t machine_jiffies = 0;  ///< of all processors
  std::uint64_t stolen_jiffies = 0;
};

/// Reads the CPU clocks of the threads given and of libzmq's I/O threads, found by their name.
/// Every thread must live as long as two readings are to be compared.
[[nodiscard]] Usage read_usage(const std::vector<pid_t>& forwarding_threads);

/// Thread ids of this process; those of threads whose name begins with `prefix` only.
[[nodiscard]] std::vector<pid_t> threads(const std::string& prefix = {});

/// The name as the kernel has it; empty for a thread that has ended.
[[nodiscard]] std::string thread_name(pid_t thread);

/// What was used between two readings.
struct Spent {
  double forwarding_cpu_ns = 0;
  double io_cpu_ns = 0;
  double process_cpu_ns = 0;
  double steal_percent = 0;
  struct Calls {
    double polls = 0;
    double writes = 0;
    double all = 0;
    double forwarding = 0;
  };
  std::optional<Calls> calls;  ///< of the forwarding and I/O threads
};

[[nodiscard]] Spent spent(const Usage& before, const Usage& after);

}  // namespace sluice::bench
