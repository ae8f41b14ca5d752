// SPDX-License-Identifier: Apache-2.0
#include "app/command/commands.hpp"
#include "app/settings/settings_source.hpp"

namespace sluice::app {

const CommandSpec& check_spec() {
  static const std::vector<OptionSpec> options = with_settings_options({});
  static const CommandSpec spec{
      "check", "check a configuration, open nothing", "-c FILE [--set KEY=VALUE]...", options,
      "Prints nothing and exits with 0 when the configuration can be used; else one line an "
      "error,\n"
      "file:line: what and the nearest right thing, and exits with 78.\n\n"
      "example:\n  sluice check -c /etc/sluice/sluice.ini && systemctl reload sluice\n"};
  return spec;
}

ExitCode check_command(const Arguments& arguments) {
  try {
    print_errors(load_or_explain(settings_source(arguments)).warnings);
    return ExitCode::done;
  } catch (const ConfigurationFailed&) {
    return ExitCode::configuration;
  }
}

}  // namespace sluice::app
