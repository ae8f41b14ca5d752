// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/feed/generator.hpp"
#include "app/feed/plugin_thread.hpp"
#include "app/log/log.hpp"
#include "config/loaded.hpp"

#include <sluice/options.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::app {

/// Where it binds or connects: "inproc://market.generator.demo".
[[nodiscard]] std::string endpoint_of(const config::GeneratorOptions& generator);
[[nodiscard]] std::string endpoint_of(const config::PluginOptions& plugin);

/// The options of a route as the sidecar runs it: with an inproc source for each of its feeds.
[[nodiscard]] RouteOptions with_feeds(RouteOptions options, const config::LoadedConfig& config);

/// The sources that live in this process. Made, joined and destroyed by the main thread.
class Feeds {
 public:
  /// Starts them all; the routes are running. Throws std::runtime_error.
  Feeds(zmq::context_t& context, const config::LoadedConfig& config, Log& log);

  /// Makes the generators what `config` says; plug-ins stay as they are. Throws std::runtime_error;
  /// then those that had to go have gone. Any thread.
  void apply(const config::LoadedConfig& config);

  /// Of one route, or of all for an empty name. Returns at once; any thread.
  void request_stop(std::string_view route) noexcept;
  /// Generators end by themselves.
  void join_generators();
  /// Calls `about_to_wait` with each name before it is waited for.
  void join_plugins(const std::function<void(const std::string&)>& about_to_wait);
  void log_totals(Log& log) const;

 private:
  zmq::context_t& m_context;
  mutable std::mutex m_mutex;
  bool m_stopping = false;
  std::vector<std::unique_ptr<Generator>> m_generators;
  std::vector<std::unique_ptr<PluginThread>> m_plugins;
};

}  // namespace sluice::app
