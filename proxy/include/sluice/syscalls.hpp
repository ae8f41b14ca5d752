// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/export.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace sluice {

/// System calls by kernel name, for example "poll" or "sendto".
using SyscallTable = std::map<std::string, std::uint64_t>;

/// Calls made through the C library's wrappers since the process began, threads that have ended
/// included. What it cannot see: calls made inside the C library itself (futex, stdio, malloc,
/// the resolver), static programs, Go.
struct SyscallCounts {
  SyscallTable forwarding;  ///< threads that run a route or a proxy call
  SyscallTable io;          ///< libzmq's I/O and reaper threads
  SyscallTable other;       ///< the rest
};

/// The counts of this process, or nothing where the interposer is not present (it is in the
/// sidecar, in `sluice-bench` and wherever `libsluice_preload.so` is preloaded). Thread-safe.
[[nodiscard]] SLUICE_EXPORT std::optional<SyscallCounts> syscall_counts();

}  // namespace sluice
