// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"

#include <cstdint>
#include <optional>
#include <sys/types.h>

namespace sluice::syscalls {

/// The kernel's own count of the system calls of one thread, from the tracepoint
/// raw_syscalls:sys_enter: an independent total to compare the interposer's with. It needs tracefs
/// and the right to use it. Any thread may read it; movable.
class KernelTotal {
 public:
  /// Counts the thread (0: the caller) from now on; nothing where the kernel does not allow it.
  [[nodiscard]] static std::optional<KernelTotal> open(pid_t thread = 0);

  [[nodiscard]] std::optional<std::uint64_t> read() const;

 private:
  explicit KernelTotal(core::Fd fd);

  core::Fd m_fd;
};

}  // namespace sluice::syscalls
