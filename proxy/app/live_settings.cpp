// SPDX-License-Identifier: Apache-2.0
#include "app/live_settings.hpp"

#include <exception>
#include <utility>
#include <variant>

namespace sluice::app {
namespace {

using core::Outcome;

std::string joined(const config::Errors& errors) {
  std::string out;
  for (const config::Error& error : errors) {
    if (!out.empty()) out += "; ";
    out += error.to_string();
  }
  return out;
}

/// What SET had given and the sources do not: named in the answer to a reload.
std::string discarded(const config::LoadedConfig& before) {
  std::string out;
  for (const config::Section& section : before.sections) {
    for (const config::Value& value : section.values) {
      if (value.place().origin != config::Origin::command) continue;
      out += (out.empty() ? "" : ", ") + section.path() + '.' + std::string(value.setting->key);
    }
  }
  return out;
}

}  // namespace

LiveSettings::LiveSettings(config::Sources sources, config::LoadedConfig config, Apply apply)
    : m_sources(std::move(sources)), m_apply(std::move(apply)), m_config(std::move(config)) {}

Outcome LiveSettings::get(std::string_view key) const {
  const std::lock_guard lock(m_mutex);
  const config::KeyResult found = config::find_key(m_config, key);
  if (const auto* text = std::get_if<std::string>(&found)) return Outcome::refused(*text);
  return Outcome::done(config::value_text(m_config, std::get<config::KeyRef>(found)));
}

config::LoadedConfig LiveSettings::config() const {
  const std::lock_guard lock(m_mutex);
  return m_config;
}

Outcome LiveSettings::set(std::string_view key, std::string_view value) {
  const std::lock_guard lock(m_mutex);
  const config::KeyResult found = config::find_key(m_config, key);
  if (const auto* text = std::get_if<std::string>(&found)) return Outcome::refused(*text);
  config::LoadResult next = config::with_value(m_config, key, value);
  if (const auto* errors = std::get_if<config::Errors>(&next)) {
    return Outcome::refused(joined(*errors));
  }
  Outcome outcome = adopt(std::move(std::get<config::LoadedConfig>(next)));
  if (!outcome.ok()) return outcome;
  return Outcome::done(std::get<config::KeyRef>(found).path + " = " +
                       config::value_text(m_config, std::get<config::KeyRef>(found)));
}

Outcome LiveSettings::reload() {
  const std::lock_guard lock(m_mutex);
  config::LoadResult loaded = config::load(m_sources);
  if (const auto* errors = std::get_if<config::Errors>(&loaded)) {
    return Outcome::refused(joined(*errors));
  }
  auto& next = std::get<config::LoadedConfig>(loaded);
  std::string refused;
  std::string changed;
  for (const config::Difference& difference : config::diff(m_config, next)) {
    std::string& list = difference.effect == config::Effect::live ? changed : refused;
    list += (list.empty() ? "" : "; ") + difference.to_string();
  }
  if (!refused.empty()) {
    return Outcome::refused("cannot change while running: " + refused);
  }
  const std::string lost = discarded(m_config);
  Outcome outcome = adopt(std::move(next));
  if (!outcome.ok()) return outcome;
  std::string text = changed.empty() ? "nothing changed" : "changed " + changed;
  if (!lost.empty()) text += "; discarded what SET had given: " + lost;
  return Outcome::done(std::move(text));
}

Outcome LiveSettings::adopt(config::LoadedConfig next) {
  try {
    m_apply(next);
  } catch (const std::exception& e) {
    try {
      m_apply(m_config);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the first reason counts
    }
    return Outcome::refused(e.what());
  }
  m_config = std::move(next);
  return Outcome::done();
}

}  // namespace sluice::app
