// SPDX-License-Identifier: Apache-2.0
#include "app/settings/settings_source.hpp"

#include "app/feed/plugin_library.hpp"

#include <cstdio>
#include <string>
#include <utility>
#include <variant>

namespace sluice::app {
namespace {

config::Errors plugin_errors(const config::LoadedConfig& config) {
  config::Errors errors;
  for (const config::PluginOptions& plugin : config.plugins) {
    try {
      static_cast<void>(PluginLibrary::open(plugin.path));
    } catch (const std::exception& e) {
      const auto key = config::find_key(config, "plugin." + plugin.name + ".path");
      const auto* ref = std::get_if<config::KeyRef>(&key);
      config::Place place;
      if (ref != nullptr) {
        place = config.sections[ref->section].value(ref->setting->key).place();
      }
      errors.push_back({std::move(place), e.what()});
    }
  }
  return errors;
}

}  // namespace

std::vector<OptionSpec> with_settings_options(std::vector<OptionSpec> more) {
  std::vector<OptionSpec> options{
      {"config", 'c', "FILE", "the configuration file"},
      {"set", '\0', "KEY=VALUE", "one setting, for example sink.edge.send_hwm=1k; repeatable",
       true},
      {"quiet", 'q', {}, "log errors only"},
      {"verbose", 'v', {}, "log more"}};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

config::Sources settings_source(const Arguments& arguments) {
  config::Sources sources;
  sources.path = arguments.value("config").value_or("");
  sources.sets = arguments.values("set");
  if (sources.path.empty() && sources.sets.empty()) {
    throw UsageError("a configuration is needed: -c FILE");
  }
  for (const std::string& text : sources.sets) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError("--set " + text + ": expected KEY=VALUE");
    }
  }
  if (arguments.has("verbose")) sources.sets.insert(sources.sets.begin(), "log.level=debug");
  if (arguments.has("quiet")) sources.sets.insert(sources.sets.begin(), "log.level=error");
  sources.env = config::process_environment();
  return sources;
}

void print_errors(const config::Errors& errors) {
  for (const config::Error& error : errors) {
    std::fprintf(stderr, "%s\n", error.to_string().c_str());
  }
}

config::LoadedConfig load_or_explain(const config::Sources& sources) {
  config::LoadResult result = config::load(sources);
  if (const auto* errors = std::get_if<config::Errors>(&result)) {
    print_errors(*errors);
    throw ConfigurationFailed{};
  }
  auto& config = std::get<config::LoadedConfig>(result);
  const config::Errors errors = plugin_errors(config);
  if (!errors.empty()) {
    print_errors(errors);
    throw ConfigurationFailed{};
  }
  return std::move(config);
}

}  // namespace sluice::app
