// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/command/exit_code.hpp"

#include <string>
#include <vector>

namespace sluice::app {

struct CommandSpec;

/// Every subcommand, in the order of the help.
[[nodiscard]] std::vector<const CommandSpec*> command_specs();

/// The whole program; `arguments` without its own name. Never throws.
[[nodiscard]] ExitCode run_program(const std::vector<std::string>& arguments);

}  // namespace sluice::app
