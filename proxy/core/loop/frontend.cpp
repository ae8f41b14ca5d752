// SPDX-License-Identifier: Apache-2.0
#include "core/loop/frontend.hpp"

#include "core/zmq/socket_io.hpp"
#include "core/zmq/zmq_socket.hpp"

#include <zmq.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace sluice::core {
namespace {

constexpr Nanoseconds k_first_pause = k_millisecond;
constexpr Nanoseconds k_longest_pause = 100 * k_millisecond;

}  // namespace

Frontend::Frontend(void* socket, Waiter& waiter)
    : m_socket(socket),
      m_waiter(waiter),
      m_fd(socket_fd(socket)),
      m_tells_of_room(tells_of_room(socket)) {
  m_waiter.add(m_fd, EPOLLIN, *this, Waiter::Watch::source);
}

Frontend::~Frontend() {
  m_waiter.remove(m_fd, *this, Waiter::Watch::source);
}

Receive Frontend::receive(Message& message) noexcept {
  if (!m_kept.empty()) {
    message = std::move(m_kept.front());
    m_kept.erase(m_kept.begin());
    return Receive::message;
  }
  const int error = receive_whole(m_socket, message);
  if (error == 0) return Receive::message;
  if (error == EAGAIN) {
    m_ready = false;
    m_signalled = false;
    if (m_full) m_room = true;  // the commands that tell of room were processed
    return Receive::nothing;
  }
  m_error = error;
  return Receive::failed;
}

Send Frontend::send(Message& message) noexcept {
  m_ready = true;
  const int error = send_whole(m_socket, message, m_sent_frames);
  if (error == EAGAIN) {
    on_full();
    return Send::full;
  }
  m_full = false;
  m_room = true;
  m_pause = 0;
  m_next_try = k_never;
  if (error == 0) return Send::sent;
  if (error == EHOSTUNREACH) return Send::unroutable;
  m_error = error;
  return Send::failed;
}

// The try may have consumed the wake-up of a message, and a look for one that of room. ZMQ_EVENTS
// processes all commands and tells of both: if it says neither, the next command wakes the
// descriptor. Where its word on room is worth nothing, tries go on, ever more rarely.
void Frontend::on_full() noexcept {
  m_full = true;
  m_signalled = false;
  const int events = int_option(m_socket, ZMQ_EVENTS);
  m_ready = events < 0 || (events & ZMQ_POLLIN) != 0;
  m_room = m_tells_of_room && events > 0 && (events & ZMQ_POLLOUT) != 0;
  if (m_tells_of_room) return;
  m_pause = std::clamp(2 * m_pause, k_first_pause, k_longest_pause);
  m_next_try = now() + m_pause;
}

void Frontend::retry() noexcept {
  m_next_try = k_never;
  m_room = true;
}

void Frontend::take_next() noexcept {
  Message next;
  if (receive_whole(m_socket, next) == 0) m_kept.push_back(std::move(next));
}

bool Frontend::quiet() noexcept {
  if (!m_signalled) return true;
  m_signalled = false;
  if (process_commands(m_socket)) {
    m_room = true;
    return true;
  }
  m_error = ETERM;
  return false;
}

void Frontend::on_ready(std::uint32_t /*events*/) noexcept {
  m_ready = true;
  m_signalled = true;
  m_room = true;
  m_pause = 0;
}

}  // namespace sluice::core
