// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/counter.hpp"
#include "core/message.hpp"
#include "core/waiter.hpp"

namespace sluice::core {

/// The capture copy: whole messages, lossy, never waits. Borrows the socket; on the loop's thread.
class Tap final : public Watched {
 public:
  Tap(void* socket, Waiter& waiter, Counter& dropped);
  ~Tap();
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;

  /// Sends a copy; the message keeps its bytes. What finds no room is dropped whole and counted.
  void copy(Message& message) noexcept;

  /// Peers that come and go are commands on the socket; sends alone skip them.
  void on_ready(std::uint32_t events) noexcept override;

 private:
  void* m_socket;
  Waiter& m_waiter;
  Counter& m_dropped;
  int m_fd;
};

}  // namespace sluice::core
