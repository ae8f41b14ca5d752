// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/command/arguments.hpp"
#include "config/config.hpp"

#include <vector>

namespace sluice::app {

/// -c, --set, -q and -v, for the subcommands that read a configuration.
[[nodiscard]] std::vector<OptionSpec> with_settings_options(std::vector<OptionSpec> more);

/// What the configuration is made of, as the command line says. Throws UsageError when there is
/// neither a file nor a setting, or a --set without "=".
[[nodiscard]] config::Sources settings_source(const Arguments& arguments);

/// Loads and checks, plug-in files included. Throws `ConfigurationFailed` after all errors were
/// written to stderr. The warnings are the caller's to show.
[[nodiscard]] config::LoadedConfig load_or_explain(const config::Sources& sources);

/// The reasons are on stderr already.
class ConfigurationFailed {};

void print_errors(const config::Errors& errors);

}  // namespace sluice::app
