// SPDX-License-Identifier: Apache-2.0
#include "sink/zmq/socket_sink.hpp"

#include "core/socket_io.hpp"
#include "core/zmq_socket.hpp"

#include <zmq.h>

#include <cerrno>

namespace sluice::sink {
namespace {

bool can_receive(void* socket) noexcept {
  const int type = core::int_option(socket, ZMQ_TYPE);
  return type != ZMQ_PUB && type != ZMQ_PUSH;
}

}  // namespace

SocketSink::SocketSink(void* socket, core::Waiter::Watch watch)
    : m_socket(socket), m_watch(watch), m_receives(can_receive(socket)) {}

SocketSink::~SocketSink() {
  stop_watching();
}

void SocketSink::open(core::Waiter& waiter) {
  m_fd = core::socket_fd(m_socket);
  waiter.add(m_fd, EPOLLIN, *this, m_watch);
  m_waiter = &waiter;
}

void SocketSink::stop_watching() noexcept {
  if (m_waiter != nullptr) m_waiter->remove(m_fd, *this, m_watch);
  m_waiter = nullptr;
}

Offer SocketSink::offer(core::Message& message, Hand hand) noexcept {
  m_look_due = m_receives;
  const int error = hand == Hand::give ? core::send_whole(m_socket, message, m_sent_frames)
                                       : core::send_shared(m_socket, message, m_sent_frames);
  m_full = error == EAGAIN;
  m_room = !m_full;
  if (error == 0) return Offer::taken;
  if (m_full) return Offer::full;
  if (error == EHOSTUNREACH) return Offer::unroutable;
  m_error = error;
  return Offer::failed;
}

bool SocketSink::receive(core::Message& message) noexcept {
  if (m_receives) {
    const int error = core::receive_whole(m_socket, message);
    if (error == 0) return true;
    if (error != EAGAIN) m_error = error;
  }
  m_pending = false;
  m_look_due = false;
  return false;
}

void SocketSink::on_ready(std::uint32_t /*events*/) noexcept {
  m_pending = m_receives;
  if (!m_full && m_receives) return;  // receive will process the commands
  // A send may skip the commands that tell of room; this does not.
  if (!core::process_commands(m_socket)) m_error = ETERM;
  m_room = true;
}

}  // namespace sluice::sink
