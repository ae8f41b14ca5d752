// SPDX-License-Identifier: Apache-2.0
#include "sink/zmq/socket_sink.hpp"

#include "core/zmq/socket_io.hpp"
#include "core/zmq/zmq_socket.hpp"

#include <zmq.h>

#include <algorithm>
#include <cerrno>

namespace sluice::sink {
namespace {

// While the sink is full its descriptor tells of room and of subscriptions. But a send that fails
// may have consumed the wake-up of a subscription, and the look that finds it may consume the
// wake-up of room; so every look is followed by a try, and every failed try by a look, ever more
// rarely.
constexpr core::Nanoseconds k_first_pause = core::k_millisecond;
constexpr core::Nanoseconds k_longest_pause = 100 * core::k_millisecond;

bool can_receive(void* socket) noexcept {
  const int type = core::int_option(socket, ZMQ_TYPE);
  return type != ZMQ_PUB && type != ZMQ_PUSH;
}

}  // namespace

SocketSink::SocketSink(void* socket, core::Waiter::Watch watch, Ways ways)
    : m_socket(socket),
      m_watch(watch),
      m_receives(ways == Ways::as_type && can_receive(socket)),
      m_tells_of_room(core::tells_of_room(socket)) {}

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
  if (error == 0) {
    m_full = false;
    m_room = true;
    m_next_look = core::k_never;
    return Offer::taken;
  }
  if (error == EAGAIN) return on_full();
  if (error == EHOSTUNREACH) return Offer::unroutable;
  m_error = error;
  return Offer::failed;
}

Offer SocketSink::on_full() noexcept {
  if (m_tells_of_room) {
    // Processes all commands and tells of messages and room: the next command wakes the descriptor.
    const int events = core::int_option(m_socket, ZMQ_EVENTS);
    m_room = events > 0 && (events & ZMQ_POLLOUT) != 0;
    m_pending = m_pending || events < 0 || (m_receives && (events & ZMQ_POLLIN) != 0);
  } else {
    m_pause = m_full ? std::clamp(2 * m_pause, k_first_pause, k_longest_pause) : k_first_pause;
    m_next_look = core::now() + m_pause;
    m_room = false;
  }
  m_full = true;
  m_look_due = false;
  return Offer::full;
}

bool SocketSink::receive(core::Message& message) noexcept {
  if (m_muted) return false;
  if (m_receives) {
    const int error = core::receive_whole(m_socket, message);
    if (error == 0) return true;
    if (error != EAGAIN) m_error = error;
  }
  m_pending = false;
  m_look_due = false;
  if (m_full) m_room = true;  // worth a try: the commands that tell of room were processed
  return false;
}

void SocketSink::on_time(core::Nanoseconds /*now*/) noexcept {
  m_next_look = core::k_never;
  m_pending = true;
  if (m_muted) m_room = true;  // nothing will be received: the try itself looks
}

void SocketSink::on_ready(std::uint32_t /*events*/) noexcept {
  m_pending = true;
  m_pause = 0;
  // A receive looks at the commands too, where there will be one.
  if (m_receives && !m_muted) return;
  if (!core::process_commands(m_socket)) m_error = ETERM;
  if (m_full) m_room = true;
}

}  // namespace sluice::sink
