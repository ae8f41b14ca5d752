// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"
#include "core/base/fd.hpp"
#include "core/wait/poll_set.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <sys/epoll.h>

namespace sluice::core {

/// Something with a descriptor that the loop waits for. Must outlive its registration.
class Watched {
 public:
  /// `events` as of epoll_wait(2). Called on the loop's thread, from `Waiter::wait` only. May add,
  /// change and remove registrations, its own included.
  virtual void on_ready(std::uint32_t events) noexcept = 0;

 protected:
  ~Watched() = default;
};

/// All waiting of a loop in one place: descriptors in two epoll sets, the one nested in the other,
/// so that a hold can leave the sources unwatched without a system call per source. Level
/// triggered. Used by one thread.
class Waiter {
 public:
  enum class Watch : std::uint8_t { source, other };
  enum class Scope : std::uint8_t { everything, without_sources };
  enum class Outcome : std::uint8_t { ready, timed_out, interrupted, failed };
  enum class Kind : std::uint8_t {
    epoll,  ///< any number of descriptors
    poll,   ///< a handful; `interrupted` means that a signal handler ran, see PollSet
  };

  /// Throws std::system_error when the kernel has no descriptor left.
  explicit Waiter(Kind kind = Kind::epoll);
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  /// Throws std::system_error. `events`: EPOLLIN, EPOLLOUT, EPOLLRDHUP...
  void add(int fd, std::uint32_t events, Watched& watched, Watch watch = Watch::other);
  void modify(int fd, std::uint32_t events, Watched& watched, Watch watch = Watch::other) noexcept;
  /// Before the descriptor is closed. After the return `watched` is not called for it any more.
  void remove(int fd, const Watched& watched, Watch watch = Watch::other) noexcept;

  /// Sleeps until something in `scope` is ready, the deadline (of `now()`) has passed or a signal
  /// handler ran; calls `on_ready` of what is ready. A deadline in the past asks without sleeping.
  Outcome wait(Scope scope, Nanoseconds deadline) noexcept;

  /// Kind::epoll: a wait that goes on at `time` of `now()` ends then, once. A deadline is set for
  /// each wait; this alarm stays set over many, and asking again for the same time costs nothing.
  /// False when there is none to be had.
  bool ring_at(Nanoseconds time) noexcept;
  /// The errno behind the last `Outcome::failed`.
  [[nodiscard]] int error() const noexcept { return m_error; }

  /// Kind::poll: the signals that may be handled during a wait, where the thread holds them back at
  /// all other times. Null: the thread's own mask.
  void set_signal_mask(const sigset_t* mask) noexcept { m_poll.set_signal_mask(mask); }
  /// Kind::poll: lets the signals held back be handled now; true if there was one.
  [[nodiscard]] bool take_signals() const noexcept { return m_poll.take_signals(); }

 private:
  static constexpr std::size_t k_batch = 64;

  struct Alarm final : Watched {
    void on_ready(std::uint32_t events) noexcept override;
    Fd timer;
    Nanoseconds set_for = 0;  // 0: not set
  };

  [[nodiscard]] int set_of(Watch watch) const noexcept;
  int poll_set(int epoll_fd, Nanoseconds deadline) noexcept;
  void dispatch(int count) noexcept;

  Kind m_kind;
  PollSet m_poll;
  Fd m_everything;
  Fd m_without_sources;
  std::array<epoll_event, k_batch> m_events{};
  int m_dispatch_end = 0;
  int m_error = 0;
  bool m_pwait2 = true;
  Fd m_timer;
  Alarm m_alarm;
};

}  // namespace sluice::core
