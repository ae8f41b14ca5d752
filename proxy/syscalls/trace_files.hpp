// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/syscalls.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::syscalls {

/// One program image that ran under libsluice_syscalls.so; a process that calls exec leaves
/// several.
struct TracedProcess {
  std::uint32_t pid = 0;
  std::uint64_t started_ns = 0;  ///< since 1970
  std::string program;           ///< path of the executable
  SyscallCounts counts;
};

/// What the processes that had SLUICE_TRACE_OUT=directory have counted so far, oldest first; they
/// may still run. Files that are no counts of this version are passed over.
[[nodiscard]] std::vector<TracedProcess> read_trace(const std::string& directory);

/// The environment variable, for whoever starts the program.
[[nodiscard]] const char* trace_variable();

}  // namespace sluice::syscalls
