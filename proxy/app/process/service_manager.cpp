// SPDX-License-Identifier: Apache-2.0
#include "app/process/service_manager.hpp"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <unistd.h>
#include <utility>

namespace sluice::app {
namespace {

std::optional<std::uint64_t> number_of(const char* text) {
  if (text == nullptr) return {};
  const std::string_view view(text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
  if (error != std::errc{} || end != view.data() + view.size()) return {};
  return value;
}

// As sd_watchdog_enabled(3): meant for us where no process is named.
std::optional<std::chrono::microseconds> interval_from_environment() {
  const auto usec = number_of(std::getenv("WATCHDOG_USEC"));
  const auto pid = number_of(std::getenv("WATCHDOG_PID"));
  ::unsetenv("WATCHDOG_USEC");
  ::unsetenv("WATCHDOG_PID");
  if (!usec || *usec == 0 || *usec > 1'000'000'000'000) return {};
  if (pid && *pid != static_cast<std::uint64_t>(::getpid())) return {};
  return std::chrono::microseconds(*usec);
}

std::string status_line(std::string_view text) {
  return "STATUS=" + one_line(std::string(text));
}

}  // namespace

ServiceManager::ServiceManager(Notify notify, std::optional<std::chrono::microseconds> interval)
    : m_notify(std::move(notify)) {
  if (!interval || !m_notify.is_wanted()) return;
  m_pause = *interval / 2;
  m_next_sign = Clock::now();
}

ServiceManager ServiceManager::from_environment() {
  return ServiceManager(Notify::from_environment(), interval_from_environment());
}

bool ServiceManager::ready(std::string_view state) {
  m_ready.store(true);
  return !m_notify.is_wanted() || m_notify.send("READY=1\n" + status_line(state));
}

void ServiceManager::reloading() {
  if (m_ready.load() && !m_stopping.load()) m_notify.send(reloading_text());
}

void ServiceManager::reloaded(std::string_view state) {
  if (m_ready.load() && !m_stopping.load()) m_notify.send("READY=1\n" + status_line(state));
}

void ServiceManager::stopping(std::string_view why) {
  if (m_stopping.exchange(true)) return;
  m_notify.send("STOPPING=1\n" + status_line("stopping: " + std::string(why)));
}

void ServiceManager::state(std::string_view text) {
  if (m_ready.load() && !m_stopping.load()) m_notify.send(status_line(text));
}

void ServiceManager::sign_of_life(Clock::time_point now, const std::function<bool()>& alive) {
  if (!m_next_sign || now < *m_next_sign) return;
  m_next_sign = now + m_pause;
  if (alive()) m_notify.send("WATCHDOG=1");
}

}  // namespace sluice::app
