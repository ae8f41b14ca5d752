// SPDX-License-Identifier: Apache-2.0
#include "core/frontend.hpp"

#include "core/socket_io.hpp"
#include "core/zmq_socket.hpp"

#include <cerrno>

namespace sluice::core {

Frontend::Frontend(void* socket, Waiter& waiter)
    : m_socket(socket), m_waiter(waiter), m_fd(socket_fd(socket)) {
  m_waiter.add(m_fd, EPOLLIN, *this, Waiter::Watch::source);
}

Frontend::~Frontend() {
  m_waiter.remove(m_fd, *this, Waiter::Watch::source);
}

Receive Frontend::receive(Message& message) noexcept {
  const int error = receive_whole(m_socket, message);
  if (error == 0) return Receive::message;
  if (error == EAGAIN) {
    m_ready = false;
    m_signalled = false;
    return Receive::nothing;
  }
  m_error = error;
  return Receive::failed;
}

Send Frontend::send(Message& message) noexcept {
  m_ready = true;
  const int error = send_whole(m_socket, message, m_sent_frames);
  if (error == 0) return Send::sent;
  if (error == EAGAIN) return Send::full;
  if (error == EHOSTUNREACH) return Send::unroutable;
  m_error = error;
  return Send::failed;
}

bool Frontend::quiet() noexcept {
  if (!m_signalled) return true;
  m_signalled = false;
  if (process_commands(m_socket)) return true;
  m_error = ETERM;
  return false;
}

void Frontend::on_ready(std::uint32_t /*events*/) noexcept {
  m_ready = true;
  m_signalled = true;
}

}  // namespace sluice::core
