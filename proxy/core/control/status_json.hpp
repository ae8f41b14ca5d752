// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/statistics.hpp>
#include <sluice/syscalls.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// What became of the reloads of a process, newest last. Times are seconds since 1970.
struct ReloadStatus {
  std::uint64_t successes = 0;
  std::uint64_t failures = 0;
  std::optional<bool> last_succeeded;  ///< nothing before the first
  double last_time = 0;
  double last_success_time = 0;  ///< the start counts as one
  std::string last_error;        ///< of the last one, if that failed
};

/// What STATUS answers.
struct ProcessStatus {
  std::chrono::milliseconds uptime{0};
  std::vector<RouteStatus> routes;
  std::optional<ReloadStatus> reload;     ///< nothing where there is nothing to reload
  std::optional<SyscallCounts> syscalls;  ///< nothing without an interposer: null, not 0
};

/// One JSON object on one line, valid UTF-8 whatever the names hold. The keys are contract.
[[nodiscard]] std::string status_json(const ProcessStatus& status);

}  // namespace sluice::core
