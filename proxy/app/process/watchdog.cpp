// SPDX-License-Identifier: Apache-2.0
#include "app/process/watchdog.hpp"

#include <unistd.h>
#include <utility>

namespace sluice::app {

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(m_mutex);
    m_done = true;
  }
  m_disarmed.notify_all();
  if (m_thread.joinable()) m_thread.join();
}

void Watchdog::arm(std::chrono::milliseconds after) {
  const std::lock_guard lock(m_mutex);
  if (m_thread.joinable() || m_done) return;
  m_thread = std::thread(&Watchdog::watch, this, std::chrono::steady_clock::now() + after);
}

void Watchdog::waiting_for(std::string what, ExitCode code) {
  const std::lock_guard lock(m_mutex);
  m_what = std::move(what);
  m_code = code;
}

void Watchdog::watch(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(m_mutex);
  if (m_disarmed.wait_until(lock, deadline, [this] { return m_done; })) return;
  m_log.error("leaving: not stopped within the linger, still waiting for " + m_what + "; exit " +
              std::to_string(static_cast<int>(m_code)));
  if (m_leaving) m_leaving();
  ::_exit(static_cast<int>(m_code));
}

}  // namespace sluice::app
