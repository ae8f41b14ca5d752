// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/process/notify.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::app {

/// What systemd (or whoever reads NOTIFY_SOCKET) is told: readiness, reloads, the state in a line,
/// the end, and signs of life where it asked for them. Thread-safe but for the signs of life, which
/// are main's.
class ServiceManager {
 public:
  using Clock = std::chrono::steady_clock;

  /// `interval`: how often the manager wants a sign of life.
  ServiceManager(Notify notify, std::optional<std::chrono::microseconds> interval);
  /// NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID, which are taken out of the environment.
  [[nodiscard]] static ServiceManager from_environment();

  /// False: there is a manager, and it was not reached.
  bool ready(std::string_view state);
  void reloading();
  void reloaded(std::string_view state);
  /// After this nothing but signs of life.
  void stopping(std::string_view why);
  void state(std::string_view text);

  /// When `sign_of_life` wants to be called next; nothing if the manager asked for none.
  [[nodiscard]] std::optional<Clock::time_point> next_sign() const noexcept { return m_next_sign; }
  /// Sends one if it is due and `alive()` says so.
  void sign_of_life(Clock::time_point now, const std::function<bool()>& alive);

 private:
  Notify m_notify;
  std::chrono::microseconds m_pause{0};  // between two signs: half of what is asked for
  std::optional<Clock::time_point> m_next_sign;
  std::atomic<bool> m_ready{false};
  std::atomic<bool> m_stopping{false};
};

}  // namespace sluice::app
