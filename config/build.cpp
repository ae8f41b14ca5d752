// SPDX-License-Identifier: Apache-2.0
#include "config/build.hpp"

#include "config/keyfile.hpp"
#include "config/text.hpp"

#include <algorithm>

namespace sluice::config {
namespace {

sluice::CurveOptions curve_of(const LoadedConfig& config, const Section& section) {
  const auto found = config.curve.find(section.path());
  if (found == config.curve.end()) return {};
  sluice::CurveOptions curve{found->second.secret, found->second.server, {}};
  if (!section.value("bind").items.empty()) curve.zap_domain = section.path();
  return curve;
}

LoadedConfig make_options(const std::vector<Section>& sections, const LoadedConfig* keys,
                          Errors& errors) {
  LoadedConfig config;
  if (keys != nullptr) {
    config.curve = keys->curve;
    config.key_files = keys->key_files;
  } else {
    read_key_files(sections, config, errors);
  }
  for (const Section& section : sections) {
    if (section.kind == Kind::route) config.routes.push_back(route_options(section));
  }
  const auto route = [&config](const Section& section) -> sluice::RouteOptions& {
    const std::string name = section.text("route");
    return *std::find_if(config.routes.begin(), config.routes.end(),
                         [&name](const sluice::RouteOptions& r) { return r.name == name; });
  };
  for (const Section& section : sections) {
    switch (section.kind) {
      case Kind::route:
        break;
      case Kind::source:
        route(section).sources.push_back(source_options(section));
        route(section).sources.back().curve = curve_of(config, section);
        break;
      case Kind::sink:
        route(section).sinks.push_back(sink_options(section));
        route(section).sinks.back().curve = curve_of(config, section);
        break;
      case Kind::tap:
        route(section).tap = tap_options(section);
        break;
      case Kind::generator:
        config.generators.push_back(generator_options(section));
        break;
      case Kind::plugin:
        config.plugins.push_back(plugin_options(section));
        break;
      case Kind::control:
        config.control = control_options(section);
        config.control->curve = curve_of(config, section);
        break;
      case Kind::admin:
        if (!section.text("http").empty()) config.admin = admin_options(section);
        break;
      case Kind::log:
        config.log = log_options(section);
        break;
      case Kind::process:
        config.process = process_options(section);
        break;
    }
  }
  return config;
}

}  // namespace

void resolve_routes(std::vector<Section>& sections, Errors& errors) {
  std::vector<std::string> names;
  for (const Section& section : sections) {
    if (section.kind == Kind::route) names.push_back(section.name);
  }
  const std::vector<std::string_view> routes(names.begin(), names.end());
  for (Section& section : sections) {
    for (Value& value : section.values) {
      if (value.setting->type != Type::route) continue;
      if (value.items.empty() && routes.size() == 1) value.items.push_back({names.front(), {}});
      if (value.items.empty()) {
        errors.push_back({section.place, section.title() + " needs route = " + join_or(routes)});
        continue;
      }
      const std::string& name = std::get<std::string>(value.items.front().value);
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      std::string hint = did_you_mean(name, routes);
      if (hint.empty()) hint = "; there is " + join_or(routes);
      errors.push_back({value.place(), "no [route " + printable(name) + "]" + hint});
    }
  }
}

LoadResult build(std::vector<Section> sections, const std::string& directory,
                 const LoadedConfig* keys) {
  Errors errors;
  std::vector<Warning> warnings;
  resolve_routes(sections, errors);
  check_endpoints(sections, directory, errors, warnings);
  check_combinations(sections, errors, warnings);
  if (!errors.empty()) return errors;
  LoadedConfig config = make_options(sections, keys, errors);
  if (!errors.empty()) return errors;
  config.warnings = std::move(warnings);
  config.sections = std::move(sections);
  return config;
}

}  // namespace sluice::config
