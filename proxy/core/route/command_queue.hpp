// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"
#include "core/wait/waiter.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace sluice::core {

/// How other threads reach a loop: a bounded queue and an eventfd. `post` from any thread; the rest
/// on the loop's.
class CommandQueue final : public Watched {
 public:
  using Command = std::function<void()>;

  /// Throws std::system_error when no descriptor is left.
  CommandQueue();

  /// Commands run in order, between the loop's turns. False when the queue is full or closed: the
  /// command is dropped.
  bool post(Command command);

  /// From `open` on commands are accepted and run; `close` drops what is left.
  void open(Waiter& waiter);
  void close() noexcept;

  void on_ready(std::uint32_t events) noexcept override;

 private:
  static constexpr std::size_t k_capacity = 1024;

  Fd m_wake;
  Waiter* m_waiter = nullptr;
  std::mutex m_mutex;
  std::deque<Command> m_commands;
  bool m_open = false;
};

}  // namespace sluice::core
