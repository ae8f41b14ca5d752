// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/command/arguments.hpp"
#include "app/command/exit_code.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::app {

// The subcommands: what each takes, and what it does. They write data to stdout and the rest to
// stderr, and throw UsageError.

using Words = std::vector<std::string>;

[[nodiscard]] const CommandSpec& run_spec();
[[nodiscard]] const CommandSpec& check_spec();
[[nodiscard]] const CommandSpec& show_spec();
[[nodiscard]] const CommandSpec& ctl_spec();
[[nodiscard]] const CommandSpec& load_spec();
[[nodiscard]] const CommandSpec& trace_spec();
[[nodiscard]] const CommandSpec& keygen_spec();
[[nodiscard]] const CommandSpec& tune_spec();

[[nodiscard]] ExitCode run_command(const Arguments& arguments);
[[nodiscard]] ExitCode check_command(const Arguments& arguments);
[[nodiscard]] ExitCode show_command(const Arguments& arguments);
[[nodiscard]] ExitCode ctl_command(const Arguments& arguments);
[[nodiscard]] ExitCode load_command(const Arguments& arguments);
[[nodiscard]] ExitCode trace_command(const Arguments& arguments);
[[nodiscard]] ExitCode keygen_command(const Arguments& arguments);
[[nodiscard]] ExitCode tune_command(const Arguments& arguments);

[[nodiscard]] std::string version_text();

/// What is known to be wrong with that version of libzmq; empty when nothing is.
[[nodiscard]] std::string libzmq_warning(int major, int minor, int patch);
/// What `sluice ctl` can be told.
[[nodiscard]] std::vector<std::string_view> ctl_words();

}  // namespace sluice::app
