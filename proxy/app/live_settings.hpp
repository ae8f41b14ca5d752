// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/config.hpp"
#include "core/steerable.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace sluice::app {

/// The settings in force. GET, SET and reload go through here. Thread-safe.
class LiveSettings {
 public:
  /// Makes the live values of a configuration true, or throws having told why.
  using Apply = std::function<void(const config::LoadedConfig&)>;

  LiveSettings(config::Sources sources, config::LoadedConfig config, Apply apply);

  [[nodiscard]] core::Outcome get(std::string_view key) const;
  /// A copy of all that is in force.
  [[nodiscard]] config::LoadedConfig config() const;
  /// All or nothing.
  core::Outcome set(std::string_view key, std::string_view value);
  /// Makes the sources true again: all or nothing, refused by name where a change cannot be made
  /// while running. Values that SET gave are discarded and named.
  core::Outcome reload();

 private:
  core::Outcome adopt(config::LoadedConfig next);

  const config::Sources m_sources;
  const Apply m_apply;
  mutable std::mutex m_mutex;
  config::LoadedConfig m_config;
};

}  // namespace sluice::app
