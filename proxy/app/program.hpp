// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/exit_code.hpp"

#include <string>
#include <vector>

namespace sluice::app {

/// The whole program; `arguments` without its own name. Never throws.
[[nodiscard]] ExitCode run_program(const std::vector<std::string>& arguments);

}  // namespace sluice::app
