// SPDX-License-Identifier: Apache-2.0
#include "core/wait/poll_set.hpp"

#include "core/wait/waiter.hpp"

#include <sys/epoll.h>

namespace sluice::core {
namespace {

static_assert(EPOLLIN == POLLIN && EPOLLOUT == POLLOUT && EPOLLERR == POLLERR &&
              EPOLLHUP == POLLHUP);

}  // namespace

void PollSet::add(int fd, std::uint32_t events, Watched& watched, bool source) {
  const auto at = static_cast<std::ptrdiff_t>(source ? m_polls.size() : m_others);
  m_polls.insert(m_polls.begin() + at, {fd, static_cast<short>(events), 0});
  try {
    m_watched.insert(m_watched.begin() + at, &watched);
  } catch (...) {
    m_polls.erase(m_polls.begin() + at);
    throw;
  }
  if (!source) ++m_others;
}

void PollSet::modify(int fd, std::uint32_t events, const Watched& watched) noexcept {
  for (std::size_t i = 0; i < m_polls.size(); ++i) {
    if (m_polls[i].fd == fd && m_watched[i] == &watched) {
      m_polls[i].events = static_cast<short>(events);
    }
  }
}

void PollSet::remove(int fd, const Watched& watched) noexcept {
  for (std::size_t i = 0; i < m_polls.size(); ++i) {
    if (m_polls[i].fd != fd || m_watched[i] != &watched) continue;
    m_watched[i] = nullptr;
    m_polls[i].fd = -1;  // poll(2) passes over it
    m_holes = true;
    break;
  }
  if (!m_dispatching) close_holes();
}

void PollSet::close_holes() noexcept {
  std::size_t kept = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < m_polls.size(); ++i) {
    if (m_watched[i] == nullptr) continue;
    if (i < m_others) ++others;
    m_polls[kept] = m_polls[i];
    m_watched[kept++] = m_watched[i];
  }
  m_polls.resize(kept);
  m_watched.resize(kept);
  m_others = others;
  m_holes = false;
}

int PollSet::wait(bool with_sources, Nanoseconds remaining) noexcept {
  m_waited = with_sources ? m_polls.size() : m_others;
  timespec timeout{};
  if (remaining != k_never) timeout = {remaining / k_second, remaining % k_second};
  return ::ppoll(m_polls.data(), m_waited, remaining == k_never ? nullptr : &timeout, m_mask);
}

void PollSet::dispatch() noexcept {
  m_dispatching = true;
  // What a call adds is not looked at before the next wait: it has no result yet.
  for (std::size_t i = 0; i < m_waited && i < m_polls.size(); ++i) {
    const auto events = static_cast<std::uint32_t>(m_polls[i].revents);
    m_polls[i].revents = 0;
    if (events != 0 && m_watched[i] != nullptr) m_watched[i]->on_ready(events);
  }
  m_dispatching = false;
  if (m_holes) close_holes();
}

bool PollSet::take_signals() const noexcept {
  const timespec none{};
  return m_mask != nullptr && ::ppoll(nullptr, 0, &none, m_mask) < 0;
}

}  // namespace sluice::core
