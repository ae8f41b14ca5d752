// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/admin/admin.hpp"
#include "app/command/exit_code.hpp"
#include "app/feed/feeds.hpp"
#include "app/log/log.hpp"
#include "app/process/process_setup.hpp"
#include "app/process/service_manager.hpp"
#include "app/process/signals.hpp"
#include "app/process/watchdog.hpp"
#include "app/routes/route_set.hpp"
#include "app/settings/live_settings.hpp"
#include "app/sidecar/control_thread.hpp"
#include "app/sidecar/steering.hpp"
#include "app/sidecar/zap.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace sluice::app {

/// Everything `sluice run` runs, wired together. Main thread only.
class Sidecar {
 public:
  /// Validates; opens nothing. Throws ConfigError.
  Sidecar(Signals& signals, Log& log, config::Sources sources, config::LoadedConfig config);

  /// Binds everything or nothing, tells that it is ready, and returns when all has stopped. Throws
  /// EndpointError. Leaves the process where the linger does not suffice.
  [[nodiscard]] ExitCode run(std::optional<std::chrono::milliseconds> duration);

 private:
  void start();
  void announce();
  void loop(std::optional<std::chrono::milliseconds> duration);
  void on_signal(int number);
  void reload_begins();
  void reload_ended(const core::Outcome& outcome, const std::vector<config::Warning>& warnings);
  void steer(const char* what, const core::Outcome& outcome);
  void begin_stop(const std::string& why);
  [[nodiscard]] std::string state_text() const;
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> next_time(
      std::optional<std::chrono::steady_clock::time_point> deadline) const;
  void use_keys(const config::LoadedConfig& config);
  void clean_up() noexcept;
  [[nodiscard]] ExitCode finish();

  Signals& m_signals;
  Log& m_log;
  config::LoadedConfig m_config;  ///< as started
  ServiceManager m_service = ServiceManager::from_environment();
  std::optional<PidFile> m_pid_file;
  zmq::context_t m_context;
  Zap m_zap;
  RouteSet m_routes;
  LiveSettings m_settings;
  std::optional<ControlThread> m_control;
  std::optional<Feeds> m_feeds;
  std::optional<Steering> m_steering;
  std::optional<Admin> m_admin;
  Watchdog m_watchdog;
  bool m_stopping = false;
  std::string m_why = "stopped by command";
};

}  // namespace sluice::app
