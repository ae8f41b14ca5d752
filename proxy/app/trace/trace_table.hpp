// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "syscalls/trace_files.hpp"

#include <string>
#include <vector>

namespace sluice::app {

/// One table a process, most frequent call first, as `strace -c` without its time columns.
[[nodiscard]] std::string trace_text(const std::vector<syscalls::TracedProcess>& processes);
[[nodiscard]] std::string trace_json(const std::vector<syscalls::TracedProcess>& processes);

}  // namespace sluice::app
