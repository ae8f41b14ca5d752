// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wait/waiter.hpp"
#include "core/zmq/message.hpp"

#include <vector>

namespace sluice::core {

enum class Receive : std::uint8_t {
  message,
  nothing,  ///< drained: the descriptor is armed again
  failed,   ///< see `error()`
};

enum class Send : std::uint8_t { sent, full, unroutable, failed };

/// The source side of a loop: one libzmq socket that data is read from and subscriptions (or, in
/// the C call, replies) are written to. Borrows the socket. On the loop's thread.
class Frontend final : public Watched {
 public:
  Frontend(void* socket, Waiter& waiter);
  ~Frontend();
  Frontend(const Frontend&) = delete;
  Frontend& operator=(const Frontend&) = delete;

  /// Reads one whole message into `message`, which must be empty.
  Receive receive(Message& message) noexcept;
  /// Sends one whole message upstream without waiting. After `full` nothing of it was taken (or
  /// the rest is sent by the next call with the same message).
  Send send(Message& message) noexcept;
  /// After `full`: whether another try may succeed.
  [[nodiscard]] bool room() const noexcept { return m_room || m_ready; }
  /// After `full`: when to try again without a wake-up, which some types of socket need. Call
  /// `retry` then.
  [[nodiscard]] Nanoseconds next_try() const noexcept { return m_next_try; }
  void retry() noexcept;
  [[nodiscard]] int error() const noexcept { return m_error; }

  /// Whether something may be waiting: true from a wake-up until `receive` finds nothing.
  [[nodiscard]] bool ready() const noexcept { return m_ready; }
  /// A wake-up that cannot be acted on now: makes the descriptor unreadable, keeps `ready`.
  /// False when the context was shut down.
  bool quiet() noexcept;
  /// Before a pipe is cut: libzmq may have taken one frame of its next message out already, and
  /// aborts when the others are gone. Takes that message, which `receive` then gives first.
  void take_next() noexcept;
  /// Any use of the socket may have consumed its wake-up.
  void touch() noexcept { m_ready = true; }

  void on_ready(std::uint32_t events) noexcept override;

 private:
  void* m_socket;
  Waiter& m_waiter;
  int m_fd;
  int m_error = 0;
  std::size_t m_sent_frames = 0;
  std::vector<Message> m_kept;  // one for each source detached since the last receive
  bool m_ready = true;
  bool m_signalled = false;
  bool m_tells_of_room;
  bool m_full = false;
  bool m_room = true;
  Nanoseconds m_next_try = k_never;
  Nanoseconds m_pause = 0;

  void on_full() noexcept;
};

}  // namespace sluice::core
