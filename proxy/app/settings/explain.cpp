// SPDX-License-Identifier: Apache-2.0
#include "app/settings/explain.hpp"

#include "config/keys.hpp"

#include <sluice/error.hpp>

namespace sluice::app {
namespace {

config::Place place_of_key(const config::LoadedConfig& config, const std::string& field) {
  const config::KeyResult found = config::find_key(config, field);
  const auto* key = std::get_if<config::KeyRef>(&found);
  if (key == nullptr) return {};
  return config.sections[key->section].value(key->setting->key).place();
}

config::Place place_of_endpoint(const config::LoadedConfig& config, const std::string& endpoint) {
  for (const config::Section& section : config.sections) {
    for (const config::Value& value : section.values) {
      if (value.setting->type != config::Type::endpoint) continue;
      for (const config::Item& item : value.items) {
        const auto* text = std::get_if<std::string>(&item.value);
        if (text != nullptr && *text == endpoint) return item.place;
      }
    }
  }
  return {};
}

std::string at(const config::Place& place, const std::string& text) {
  return place == config::Place{} ? text : config::Error{place, text}.to_string();
}

}  // namespace

std::string explain(const std::exception& e, const config::LoadedConfig& config) {
  const std::string what = e.what();
  if (const auto* wrong = dynamic_cast<const ConfigError*>(&e)) {
    return at(place_of_key(config, wrong->field()), what);
  }
  if (const auto* endpoint = dynamic_cast<const EndpointError*>(&e)) {
    const bool named = what.find(endpoint->endpoint()) != std::string::npos;
    return at(place_of_endpoint(config, endpoint->endpoint()),
              named ? what : endpoint->endpoint() + ": " + what);
  }
  return what;
}

}  // namespace sluice::app
