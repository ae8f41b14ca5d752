// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/counter.hpp"
#include "core/wait/waiter.hpp"
#include "core/zmq/message.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

namespace sluice::core {

/// The capture copy: whole messages, lossy, never waits. Borrows the socket; on the loop's thread.
class Tap final : public Watched {
 public:
  /// `backlog`: how many messages are kept for the first reader, who may come a moment later than
  /// the first message. Once one has been sent, what finds no room is dropped.
  Tap(void* socket, Waiter& waiter, Counter& dropped, std::size_t backlog = 0);
  ~Tap();
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;

  /// Called once, for the first copy that is dropped.
  void on_first_drop(std::function<void()> told) { m_first_drop = std::move(told); }

  /// Sends a copy; the message keeps its bytes. What finds no room is dropped whole and counted.
  void copy(Message& message) noexcept;

  /// Peers that come and go are commands on the socket; sends alone skip them.
  void on_ready(std::uint32_t events) noexcept override;

 private:
  void drop() noexcept;
  bool send_backlog() noexcept;
  void keep(Message& message);

  void* m_socket;
  Waiter& m_waiter;
  Counter& m_dropped;
  int m_fd;
  std::size_t m_room;  // messages that may still be kept
  std::size_t m_bytes_kept = 0;
  std::deque<Message> m_backlog;
  std::function<void()> m_first_drop;
};

}  // namespace sluice::core
