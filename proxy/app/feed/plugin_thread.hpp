// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/feed/plugin_library.hpp"
#include "app/log/log.hpp"
#include "config/loaded.hpp"

#include <atomic>
#include <string>
#include <thread>

namespace sluice::app {

/// A plug-in source on its own thread. Made, joined and destroyed by one thread; what the plug-in
/// sees stays valid until it has returned.
class PluginThread {
 public:
  PluginThread(void* context, config::PluginOptions options, PluginLibrary library,
               std::string endpoint, Log& log);
  ~PluginThread();
  PluginThread(const PluginThread&) = delete;
  PluginThread& operator=(const PluginThread&) = delete;

  /// Returns at once; any thread.
  void request_stop() noexcept { m_stopping.store(true); }
  /// Waits for the plug-in, however long it takes.
  void join();

  [[nodiscard]] const config::PluginOptions& options() const noexcept { return m_options; }

 private:
  static int on_stopping(const sluice_source_host* host);
  static void on_log(const sluice_source_host* host, int level, const char* text);
  void run(void* context) noexcept;

  config::PluginOptions m_options;
  PluginLibrary m_library;
  std::string m_endpoint;
  Log& m_log;
  std::atomic<bool> m_stopping{false};
  sluice_source_host m_host{};
  std::thread m_thread;
};

}  // namespace sluice::app
