// SPDX-License-Identifier: Apache-2.0
#include "core/wait/waiter.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/timerfd.h>
#include <system_error>

namespace sluice::core {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

Fd make_epoll() {
  Fd fd{::epoll_create1(EPOLL_CLOEXEC)};
  if (!fd) fail("epoll_create1");
  return fd;
}

void control(int set, int operation, int fd, std::uint32_t events, void* tag) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = tag;
  if (::epoll_ctl(set, operation, fd, &event) != 0) fail("epoll_ctl");
}

timespec to_timespec(Nanoseconds t) noexcept {
  return {t / k_second, t % k_second};
}

Nanoseconds remaining_until(Nanoseconds deadline) noexcept {
  if (deadline == k_never || deadline <= 0) return std::max<Nanoseconds>(deadline, 0);
  return std::max<Nanoseconds>(deadline - now(), 0);
}

}  // namespace

Waiter::Waiter(Kind kind) : m_kind(kind) {
  if (kind == Kind::poll) return;
  m_everything = make_epoll();
  m_without_sources = make_epoll();
  // A null tag in the outer set stands for "something in the inner set".
  control(m_everything.get(), EPOLL_CTL_ADD, m_without_sources.get(), EPOLLIN, nullptr);
}

int Waiter::set_of(Watch watch) const noexcept {
  return watch == Watch::source ? m_everything.get() : m_without_sources.get();
}

void Waiter::add(int fd, std::uint32_t events, Watched& watched, Watch watch) {
  if (m_kind == Kind::poll) {
    m_poll.add(fd, events, watched, watch == Watch::source);
  } else {
    control(set_of(watch), EPOLL_CTL_ADD, fd, events, &watched);
  }
}

void Waiter::modify(int fd, std::uint32_t events, Watched& watched, Watch watch) noexcept {
  if (m_kind == Kind::poll) return m_poll.modify(fd, events, watched);
  epoll_event event{};
  event.events = events;
  event.data.ptr = &watched;
  ::epoll_ctl(set_of(watch), EPOLL_CTL_MOD, fd, &event);
}

void Waiter::remove(int fd, const Watched& watched, Watch watch) noexcept {
  if (m_kind == Kind::poll) return m_poll.remove(fd, watched);
  epoll_event ignored{};
  ::epoll_ctl(set_of(watch), EPOLL_CTL_DEL, fd, &ignored);
  for (int i = 0; i < m_dispatch_end; ++i) {
    auto& event = m_events[static_cast<std::size_t>(i)];
    if (event.data.ptr == &watched) event.data.ptr = nullptr;
  }
}

int Waiter::poll_set(int epoll_fd, Nanoseconds deadline) noexcept {
  const Nanoseconds remaining = remaining_until(deadline);
  const int capacity = static_cast<int>(k_batch);
  if (remaining == 0 || remaining == k_never) {
    return ::epoll_wait(epoll_fd, m_events.data(), capacity, remaining == 0 ? 0 : -1);
  }
  if (m_pwait2) {
    const timespec timeout = to_timespec(remaining);
    const int count = ::epoll_pwait2(epoll_fd, m_events.data(), capacity, &timeout, nullptr);
    if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
    m_pwait2 = false;
  }
  // Kernels before 5.11, and seccomp profiles that do not know the call: a timer that is ready
  // wakes the inner set, which both scopes watch.
  if (!m_timer) {
    m_timer = Fd{::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)};
    if (!m_timer) {
      return ::epoll_wait(epoll_fd, m_events.data(), capacity,
                          static_cast<int>(remaining / k_millisecond) + 1);
    }
    epoll_event event{};
    event.events = EPOLLIN;
    ::epoll_ctl(m_without_sources.get(), EPOLL_CTL_ADD, m_timer.get(), &event);
  }
  itimerspec when{};
  when.it_value = to_timespec(remaining);
  ::timerfd_settime(m_timer.get(), 0, &when, nullptr);
  const int count = ::epoll_wait(epoll_fd, m_events.data(), capacity, -1);
  when.it_value = {};
  ::timerfd_settime(m_timer.get(), 0, &when, nullptr);  // also makes it unreadable
  return count;
}

// Edge-triggered: it need not be read.
void Waiter::Alarm::on_ready(std::uint32_t /*events*/) noexcept {
  set_for = 0;
}

bool Waiter::ring_at(Nanoseconds time) noexcept {
  if (m_kind != Kind::epoll) return false;
  if (m_alarm.set_for == time) return true;
  if (!m_alarm.timer) {
    m_alarm.timer = Fd{::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)};
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;
    event.data.ptr = static_cast<Watched*>(&m_alarm);
    if (!m_alarm.timer ||
        ::epoll_ctl(m_without_sources.get(), EPOLL_CTL_ADD, m_alarm.timer.get(), &event) != 0) {
      m_alarm.timer = Fd{};
      return false;
    }
  }
  itimerspec when{};
  when.it_value = to_timespec(time);
  if (::timerfd_settime(m_alarm.timer.get(), TFD_TIMER_ABSTIME, &when, nullptr) != 0) return false;
  m_alarm.set_for = time;
  return true;
}

void Waiter::dispatch(int count) noexcept {
  m_dispatch_end = count;
  for (int i = 0; i < count; ++i) {
    const epoll_event event = m_events[static_cast<std::size_t>(i)];
    if (event.data.ptr != nullptr) static_cast<Watched*>(event.data.ptr)->on_ready(event.events);
  }
  m_dispatch_end = 0;
}

Waiter::Outcome Waiter::wait(Scope scope, Nanoseconds deadline) noexcept {
  const bool everything = scope == Scope::everything;
  if (m_kind == Kind::poll) {
    const int ready = m_poll.wait(everything, remaining_until(deadline));
    if (ready > 0) m_poll.dispatch();
    if (ready < 0) return Outcome::interrupted;
    return ready == 0 ? Outcome::timed_out : Outcome::ready;
  }
  int count = poll_set(everything ? m_everything.get() : m_without_sources.get(), deadline);
  if (count < 0) {
    m_error = errno;
    return m_error == EINTR ? Outcome::interrupted : Outcome::failed;
  }
  if (count == 0) return Outcome::timed_out;
  const bool inner = everything && std::any_of(m_events.begin(), m_events.begin() + count,
                                               [](const auto& e) { return e.data.ptr == nullptr; });
  dispatch(count);
  if (inner) {
    count = poll_set(m_without_sources.get(), 0);
    if (count > 0) dispatch(count);
  }
  return Outcome::ready;
}

}  // namespace sluice::core
