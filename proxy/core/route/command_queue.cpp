// SPDX-License-Identifier: Apache-2.0
#include "core/route/command_queue.hpp"

#include <cerrno>
#include <sys/eventfd.h>
#include <system_error>
#include <utility>

namespace sluice::core {

CommandQueue::CommandQueue() : m_wake(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!m_wake) throw std::system_error(errno, std::generic_category(), "eventfd");
}

bool CommandQueue::post(Command command) {
  {
    const std::lock_guard lock{m_mutex};
    if (!m_open || m_commands.size() >= k_capacity) return false;
    m_commands.push_back(std::move(command));
  }
  eventfd_write(m_wake.get(), 1);
  return true;
}

void CommandQueue::open(Waiter& waiter) {
  waiter.add(m_wake.get(), EPOLLIN, *this);
  m_waiter = &waiter;
  const std::lock_guard lock{m_mutex};
  m_open = true;
}

void CommandQueue::close() noexcept {
  if (m_waiter != nullptr) m_waiter->remove(m_wake.get(), *this);
  m_waiter = nullptr;
  std::deque<Command> dropped;
  const std::lock_guard lock{m_mutex};
  m_open = false;
  dropped.swap(m_commands);
}

void CommandQueue::on_ready(std::uint32_t /*events*/) noexcept {
  eventfd_t ignored = 0;
  eventfd_read(m_wake.get(), &ignored);
  std::deque<Command> commands;
  {
    const std::lock_guard lock{m_mutex};
    commands.swap(m_commands);
  }
  for (auto& command : commands) command();
}

}  // namespace sluice::core
