// SPDX-License-Identifier: Apache-2.0
#include "core/endpoint/inproc_probe.hpp"

#include "core/endpoint/waiting_names.hpp"

#include <sluice/error.hpp>

#include <zmq.h>

#include <cerrno>
#include <poll.h>
#include <utility>

namespace sluice::core {

bool connect_inproc(void* socket, const std::string& endpoint) {
  errno = 0;
  if (zmq_connect(socket, endpoint.c_str()) != 0) {
    throw EndpointError(endpoint, errno, std::string{"cannot connect: "} + zmq_strerror(errno));
  }
  return errno != ECONNREFUSED;  // the only sign that nobody has bound the name
}

InprocProbe::InprocProbe(void* context, std::string endpoint, Waiter& waiter,
                         std::function<void()> found)
    : m_context(context),
      m_endpoint(std::move(endpoint)),
      m_waiter(waiter),
      m_found(std::move(found)) {
  open();
}

InprocProbe::~InprocProbe() {
  stop_watching();
  if (!m_connected && m_socket) keep_waiting(m_context, m_endpoint, std::move(m_socket));
}

void InprocProbe::open() {
  if (!reuse()) {
    m_socket = ZmqSocket{m_context, ZMQ_PUSH};
    set_option(m_socket.raw(), ZMQ_LINGER, 0, "ZMQ_LINGER");
    m_connected = connect_inproc(m_socket.raw(), m_endpoint);
  }
  if (m_connected) m_found();
  const int fd = socket_fd(m_socket.raw());
  m_waiter.add(fd, EPOLLIN, *this);
  m_fd = fd;
}

// One that was left waiting. What it has been told meanwhile: nothing, or that the name was bound;
// if its owner has gone again, the socket is of no use any more.
bool InprocProbe::reuse() noexcept {
  while (ZmqSocket kept = take_waiting(m_context, m_endpoint)) {
    pollfd told{socket_fd(kept.raw()), POLLIN, 0};
    const bool news = ::poll(&told, 1, 0) != 0;
    m_socket = std::move(kept);
    m_connected = news && has_peer();  // while it waits it looks as if it had one
    if (m_connected || !news) return true;
  }
  return false;
}

void InprocProbe::stop_watching() noexcept {
  if (m_fd >= 0) m_waiter.remove(m_fd, *this);
  m_fd = -1;
}

bool InprocProbe::has_peer() noexcept {
  const int events = int_option(m_socket.raw(), ZMQ_EVENTS);
  return events >= 0 && (events & ZMQ_POLLOUT) != 0;
}

void InprocProbe::on_ready(std::uint32_t /*events*/) noexcept {
  try {
    if (has_peer()) {
      // A wake while waiting: the name has been bound.
      if (!std::exchange(m_connected, true)) m_found();
      return;
    }
    stop_watching();
    m_socket.close();
    m_connected = false;
    open();
  } catch (const std::exception&) {
    m_connected = false;  // the context is ending, or no descriptor is left
  }
}

}  // namespace sluice::core
