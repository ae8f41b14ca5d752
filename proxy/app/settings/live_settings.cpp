// SPDX-License-Identifier: Apache-2.0
#include "app/settings/live_settings.hpp"

#include "app/settings/explain.hpp"

#include <chrono>
#include <exception>
#include <utility>
#include <variant>

namespace sluice::app {
namespace {

using core::Outcome;

double unix_time() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

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
    : m_sources(std::move(sources)), m_apply(std::move(apply)), m_config(std::move(config)) {
  m_status.last_success_time = unix_time();
}

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
  const std::lock_guard one(m_reload_mutex);
  if (m_watcher.begins) m_watcher.begins();
  std::vector<config::Warning> warnings;
  const Outcome outcome = reload_now(warnings);
  note(outcome);
  if (m_watcher.ended) m_watcher.ended(outcome, warnings);
  return outcome;
}

core::ReloadStatus LiveSettings::reloads() const {
  const std::lock_guard lock(m_status_mutex);
  return m_status;
}

void LiveSettings::note(const Outcome& outcome) {
  const std::lock_guard lock(m_status_mutex);
  m_status.last_succeeded = outcome.ok();
  m_status.last_time = unix_time();
  m_status.last_error = outcome.ok() ? std::string{} : outcome.text;
  ++(outcome.ok() ? m_status.successes : m_status.failures);
  if (outcome.ok()) m_status.last_success_time = m_status.last_time;
}

Outcome LiveSettings::reload_now(std::vector<config::Warning>& warnings) {
  const std::lock_guard lock(m_mutex);
  config::Sources sources = m_sources;
  sources.again = true;
  config::LoadResult loaded = config::load(sources);
  if (const auto* errors = std::get_if<config::Errors>(&loaded)) {
    return Outcome::refused(joined(*errors));
  }
  auto& next = std::get<config::LoadedConfig>(loaded);
  std::string refused;
  std::string changed;
  for (const config::Difference& difference : config::diff(m_config, next)) {
    std::string& list = difference.effect == config::Effect::restart ? refused : changed;
    list += (list.empty() ? "" : "; ") + difference.to_string();
  }
  if (!refused.empty()) {
    return Outcome::refused("cannot change while running: " + refused);
  }
  const std::string lost = discarded(m_config);
  warnings = next.warnings;
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
    const std::string why = explain(e, next);
    try {
      m_apply(m_config);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the first reason counts
    }
    return Outcome::refused(why);
  }
  m_config = std::move(next);
  return Outcome::done();
}

}  // namespace sluice::app
