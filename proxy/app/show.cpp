// SPDX-License-Identifier: Apache-2.0
#include "app/command/commands.hpp"
#include "app/settings/settings_source.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace sluice::app {
namespace {

std::string as_json(const config::LoadedConfig& config) {
  using Json = nlohmann::ordered_json;
  Json out = Json::array();
  for (const config::Row& row : config::rows(config)) {
    out.push_back({{"key", row.path},
                   {"values", row.values},
                   {"origin", row.origin},
                   {"change", row.change}});
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

const CommandSpec& show_spec() {
  static const std::vector<OptionSpec> options =
      with_settings_options({{"json", '\0', {}, "JSON instead of a file"}});
  static const CommandSpec spec{
      "show", "print the effective settings, each with its origin",
      "-c FILE [--set KEY=VALUE]... [--json]", options,
      "The output is a configuration file again. Flags win over the environment, the environment\n"
      "over the file, the file over the defaults. Secrets are not shown.\n\n"
      "example:\n  SLUICE_LINGER=1s sluice show -c sluice.ini --set log.level=debug\n"};
  return spec;
}

ExitCode show_command(const Arguments& arguments) {
  try {
    const config::LoadedConfig config = load_or_explain(settings_source(arguments));
    print_errors(config.warnings);
    const std::string text = arguments.has("json") ? as_json(config) : config::show(config);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return ExitCode::done;
  } catch (const ConfigurationFailed&) {
    return ExitCode::configuration;
  }
}

}  // namespace sluice::app
