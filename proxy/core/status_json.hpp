// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/statistics.hpp>
#include <sluice/syscalls.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// What STATUS answers.
struct ProcessStatus {
  std::chrono::milliseconds uptime{0};
  std::vector<RouteStatus> routes;
  std::optional<SyscallCounts> syscalls;  ///< nothing without an interposer: null, not 0
};

/// One JSON object on one line, valid UTF-8 whatever the names hold. The keys are contract.
[[nodiscard]] std::string status_json(const ProcessStatus& status);

}  // namespace sluice::core
