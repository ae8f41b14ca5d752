// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace sluice::bench {

/// This process's folder for sockets, logs and settings, made at the first call. Everything that a
/// measurement leaves on the disk is in it, and it goes with the process. Throws std::system_error.
[[nodiscard]] const std::filesystem::path& scratch_folder();

/// The scratch folder goes with it, and while it lives SIGINT, SIGTERM and SIGHUP remove the
/// folder before they end the process. Folders of processes that were killed are removed too. Make
/// one in main, before any other thread is there.
class ScratchGuard {
 public:
  ScratchGuard();
  ~ScratchGuard();
  ScratchGuard(const ScratchGuard&) = delete;
  ScratchGuard& operator=(const ScratchGuard&) = delete;
};

/// In a child of this process, before exec: signals are as a program expects them. Async-safe.
void reset_signals() noexcept;

}  // namespace sluice::bench
