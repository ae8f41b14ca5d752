// SPDX-License-Identifier: Apache-2.0
#include "app/feed/plugin_thread.hpp"

#include <algorithm>
#include <pthread.h>
#include <utility>

namespace sluice::app {

PluginThread::PluginThread(void* context, config::PluginOptions options, PluginLibrary library,
                           std::string endpoint, Log& log)
    : m_options(std::move(options)),
      m_library(library),
      m_endpoint(std::move(endpoint)),
      m_log(log) {
  m_host.size = sizeof m_host;
  m_host.stopping = on_stopping;
  m_host.log = on_log;
  m_host.opaque = this;
  m_thread = std::thread(&PluginThread::run, this, context);
}

PluginThread::~PluginThread() {
  request_stop();
  join();
}

void PluginThread::join() {
  if (m_thread.joinable()) m_thread.join();
}

void PluginThread::run(void* context) noexcept {
  pthread_setname_np(pthread_self(), "sluice/plugin");
  int result = 0;
  try {
    result = m_library.run(context, m_endpoint, m_options.args, m_host);
  } catch (...) {
    result = -1;
  }
  const std::string text = "plug-in " + m_options.name + " returned " + std::to_string(result);
  if (m_stopping.load()) {
    m_log.write(result == 0 ? Severity::debug : Severity::warning, text, m_options.route);
  } else {
    m_log.write(Severity::warning, text + " before it was asked to stop: this source is gone",
                m_options.route);
  }
}

int PluginThread::on_stopping(const sluice_source_host* host) {
  return static_cast<PluginThread*>(host->opaque)->m_stopping.load() ? 1 : 0;
}

void PluginThread::on_log(const sluice_source_host* host, int level, const char* text) {
  auto& self = *static_cast<PluginThread*>(host->opaque);
  const auto severity = static_cast<Severity>(std::clamp(level, 0, 3));
  const std::string line = "plug-in " + self.m_options.name + ": " + (text != nullptr ? text : "");
  self.m_log.write(severity, line, self.m_options.route);
}

}  // namespace sluice::app
