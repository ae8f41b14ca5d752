// SPDX-License-Identifier: Apache-2.0
#include "core/inproc_probe.hpp"

#include <sluice/error.hpp>

#include <cerrno>
#include <utility>

#include <zmq.h>

namespace sluice::core {

bool connect_inproc(void* socket, const std::string& endpoint) {
  errno = 0;
  if (zmq_connect(socket, endpoint.c_str()) != 0) {
    throw EndpointError(endpoint, errno, std::string{"cannot connect: "} + zmq_strerror(errno));
  }
  return errno != ECONNREFUSED;  // the only sign that nobody has bound the name
}

InprocProbe::InprocProbe(void* context, std::string endpoint, Waiter& waiter,
                         std::function<void()> lost)
    : m_context(context), m_endpoint(std::move(endpoint)), m_waiter(waiter), m_lost(std::move(lost)) {
  open();
}

InprocProbe::~InprocProbe() { close(); }

void InprocProbe::open() {
  m_socket = ZmqSocket{m_context, ZMQ_PUSH};
  set_option(m_socket.raw(), ZMQ_LINGER, 0, "ZMQ_LINGER");
  m_connected = connect_inproc(m_socket.raw(), m_endpoint);
  m_fd = socket_fd(m_socket.raw());
  m_waiter.add(m_fd, EPOLLIN, *this);
}

void InprocProbe::close() noexcept {
  if (m_fd >= 0) m_waiter.remove(m_fd, *this);
  m_fd = -1;
  m_socket.close();
}

bool InprocProbe::has_peer() noexcept {
  const int events = int_option(m_socket.raw(), ZMQ_EVENTS);
  return events >= 0 && (events & ZMQ_POLLOUT) != 0;
}

void InprocProbe::on_ready(std::uint32_t /*events*/) noexcept {
  if (has_peer()) {
    m_connected = true;  // a wake while waiting: the name has been bound
    return;
  }
  try {
    close();
    open();
    m_lost();
  } catch (const std::exception&) {
    m_connected = false;  // the context is ending, or no descriptor is left
  }
}

}  // namespace sluice::core
