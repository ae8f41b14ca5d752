// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/config.hpp"
#include "core/control/status_json.hpp"
#include "core/control/steerable.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::app {

/// The settings in force. GET, SET and reload go through here. Thread-safe.
class LiveSettings {
 public:
  /// Makes the live values of a configuration true, or throws having told why.
  using Apply = std::function<void(const config::LoadedConfig&)>;

  /// What happens around a reload, on the thread that asked for it.
  struct ReloadWatcher {
    std::function<void()> begins;
    std::function<void(const core::Outcome&, const std::vector<config::Warning>&)> ended;
  };

  LiveSettings(config::Sources sources, config::LoadedConfig config, Apply apply);

  [[nodiscard]] core::Outcome get(std::string_view key) const;
  /// A copy of all that is in force.
  [[nodiscard]] config::LoadedConfig config() const;
  /// All or nothing.
  core::Outcome set(std::string_view key, std::string_view value);
  /// Makes the sources true again: all or nothing, refused by name where a change cannot be made
  /// while running. Values that SET gave are discarded and named.
  core::Outcome reload();
  /// Before there is a second thread.
  void watch_reloads(ReloadWatcher watcher) { m_watcher = std::move(watcher); }
  [[nodiscard]] core::ReloadStatus reloads() const;

 private:
  core::Outcome reload_now(std::vector<config::Warning>& warnings);
  void note(const core::Outcome& outcome);
  core::Outcome adopt(config::LoadedConfig next);

  const config::Sources m_sources;
  const Apply m_apply;
  mutable std::mutex m_mutex;
  config::LoadedConfig m_config;
  ReloadWatcher m_watcher;
  std::mutex m_reload_mutex;  // one at a time
  mutable std::mutex m_status_mutex;
  core::ReloadStatus m_status;
};

}  // namespace sluice::app
