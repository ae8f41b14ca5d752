// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <sys/stat.h>

namespace sluice::core {

// The files of bound ipc paths that this process has made and not removed yet: what a process that
// leaves without winding up would leave behind. Process-wide, as its end is. Any thread.

/// Called by whoever owns a file. `made`: what the file was when it was made.
void note_ipc_file(const std::string& path, const std::string& directory, const struct stat& made);
void forget_ipc_file(const std::string& path) noexcept;

/// Removes those that are still the files that were made; in the process that made them only. For
/// the moment before `_exit`: nothing is owned any more afterwards.
void remove_all_ipc_files() noexcept;

}  // namespace sluice::core
