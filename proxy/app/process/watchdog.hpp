// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/command/exit_code.hpp"
#include "app/log/log.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace sluice::app {

/// Bounds the stop: once armed, the process leaves at the deadline, with a line that names what was
/// being waited for. Thread-safe.
class Watchdog {
 public:
  /// `leaving` is called on the watchdog's thread before the process leaves.
  explicit Watchdog(Log& log, std::function<void()> leaving = {})
      : m_log(log), m_leaving(std::move(leaving)) {}
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// The first call counts.
  void arm(std::chrono::milliseconds after);
  /// `code`: what the process leaves with if it has to while this is waited for.
  void waiting_for(std::string what, ExitCode code = ExitCode::failure);

 private:
  void watch(std::chrono::steady_clock::time_point deadline);

  Log& m_log;
  std::function<void()> m_leaving;
  std::mutex m_mutex;
  std::condition_variable m_disarmed;
  bool m_done = false;
  std::string m_what = "the routes";
  ExitCode m_code = ExitCode::failure;
  std::thread m_thread;
};

}  // namespace sluice::app
