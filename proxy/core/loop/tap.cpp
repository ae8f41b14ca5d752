// SPDX-License-Identifier: Apache-2.0
#include "core/loop/tap.hpp"

#include "core/zmq/socket_io.hpp"
#include "core/zmq/zmq_socket.hpp"

#include <cerrno>
#include <new>
#include <utility>

namespace sluice::core {
namespace {

// The backlog's limit in bytes.
constexpr std::size_t k_backlog_bytes = std::size_t{8} << 20U;

}  // namespace

Tap::Tap(void* socket, Waiter& waiter, Counter& dropped, std::size_t backlog)
    : m_socket(socket),
      m_waiter(waiter),
      m_dropped(dropped),
      m_fd(socket_fd(socket)),
      m_room(backlog) {
  m_waiter.add(m_fd, EPOLLIN, *this);
}

Tap::~Tap() {
  m_waiter.remove(m_fd, *this);
}

void Tap::drop() noexcept {
  m_dropped.add(1);
  if (m_first_drop) std::exchange(m_first_drop, nullptr)();
}

void Tap::copy(Message& message) noexcept {
  std::size_t done = 0;
  const int error = send_backlog() ? send_shared(m_socket, message, done) : EAGAIN;
  if (error == 0) {
    m_room = 0;
  } else if (error == EAGAIN && m_room > 0) {
    try {
      keep(message);
    } catch (const std::bad_alloc&) {
      drop();
    }
  } else {
    drop();
  }
}

void Tap::keep(Message& message) {
  if (m_bytes_kept + message.size() > k_backlog_bytes) {
    drop();
    return;
  }
  Message copy;
  for (std::size_t i = 0; i < message.frames(); ++i) {
    copy.next() = message.frame(i).share();
    copy.push();
  }
  m_backlog.push_back(std::move(copy));
  m_bytes_kept += message.size();
  --m_room;
}

// True when nothing is kept any more.
bool Tap::send_backlog() noexcept {
  while (!m_backlog.empty()) {
    std::size_t done = 0;
    const int error = send_whole(m_socket, m_backlog.front(), done);
    if (error == EAGAIN) return false;
    if (error != 0) drop();
    m_room = 0;
    m_backlog.pop_front();
  }
  return true;
}

void Tap::on_ready(std::uint32_t /*events*/) noexcept {
  process_commands(m_socket);
  send_backlog();
}

}  // namespace sluice::core
