// SPDX-License-Identifier: Apache-2.0
#include "core/tap.hpp"

#include "core/socket_io.hpp"
#include "core/zmq_socket.hpp"

namespace sluice::core {

Tap::Tap(void* socket, Waiter& waiter, Counter& dropped)
    : m_socket(socket), m_waiter(waiter), m_dropped(dropped), m_fd(socket_fd(socket)) {
  m_waiter.add(m_fd, EPOLLIN, *this);
}

Tap::~Tap() {
  m_waiter.remove(m_fd, *this);
}

void Tap::copy(Message& message) noexcept {
  std::size_t done = 0;
  if (send_shared(m_socket, message, done) != 0) m_dropped.add(1);
}

void Tap::on_ready(std::uint32_t /*events*/) noexcept {
  process_commands(m_socket);
}

}  // namespace sluice::core
