// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <poll.h>
#include <signal.h>
#include <vector>

namespace sluice::core {

class Watched;

/// A handful of descriptors waited for with one ppoll(2). Takes no descriptor of its own, and tells
/// a signal that was handled from one that was not: epoll_wait(2) also fails with EINTR after a
/// stop and continue, a freeze or a debugger. The same descriptor may be in it more than once. Used
/// by one thread.
class PollSet {
 public:
  void add(int fd, std::uint32_t events, Watched& watched, bool source);
  void modify(int fd, std::uint32_t events, const Watched& watched) noexcept;
  void remove(int fd, const Watched& watched) noexcept;

  /// The signal mask while waiting; null: the thread's own.
  void set_signal_mask(const sigset_t* mask) noexcept { m_mask = mask; }

  /// How many are ready; -1 with errno EINTR when a signal handler ran. `remaining`: nanoseconds,
  /// k_never to wait without end.
  int wait(bool with_sources, Nanoseconds remaining) noexcept;
  /// Calls `on_ready` of what `wait` found.
  void dispatch() noexcept;
  /// Runs the handlers of signals that the thread holds back and `mask` lets through. True if one
  /// ran.
  [[nodiscard]] bool take_signals() const noexcept;

 private:
  void close_holes() noexcept;

  // The sources come last, so that a wait without them is a shorter wait.
  std::vector<pollfd> m_polls;
  std::vector<Watched*> m_watched;  // of m_polls; null: removed while dispatching
  std::size_t m_others = 0;
  std::size_t m_waited = 0;
  bool m_dispatching = false;
  bool m_holes = false;
  const sigset_t* m_mask = nullptr;
};

}  // namespace sluice::core
