// SPDX-License-Identifier: Apache-2.0
#include "core/endpoint/monitor.hpp"

#include "core/zmq/message.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <unistd.h>

namespace sluice::core {
namespace {

// Frame layout of zmq_socket_monitor(3): a 16-bit event and a 32-bit value, then the endpoint.
constexpr std::size_t k_event_size = sizeof(std::uint16_t) + sizeof(std::uint32_t);
constexpr int k_events = ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_CONNECTED | ZMQ_EVENT_DISCONNECTED |
                         ZMQ_EVENT_CLOSED | ZMQ_EVENT_LISTENING | ZMQ_EVENT_MONITOR_STOPPED;

// How long a closed socket is waited for after its linger has passed.
constexpr Nanoseconds k_patience = 2 * k_second;

std::string fresh_name() {
  static std::atomic<std::uint64_t> s_next{0};
  return "inproc://sluice.monitor." + std::to_string(s_next.fetch_add(1));
}

}  // namespace

Monitor::Monitor(void* context, void* socket, Waiter& waiter)
    : m_monitored(socket), m_waiter(waiter), m_reader(context, ZMQ_PAIR) {
  const auto name = fresh_name();
  set_option(m_reader.raw(), ZMQ_RCVHWM, 0, "ZMQ_RCVHWM");
  set_option(m_reader.raw(), ZMQ_LINGER, 0, "ZMQ_LINGER");
  if (zmq_socket_monitor(socket, name.c_str(), k_events) != 0) {
    throw std::runtime_error(std::string{"cannot monitor a socket: "} + zmq_strerror(errno));
  }
  if (zmq_connect(m_reader.raw(), name.c_str()) != 0) {
    const std::string text = zmq_strerror(errno);
    zmq_socket_monitor(socket, nullptr, 0);
    throw std::runtime_error("cannot read a monitor: " + text);
  }
  m_fd = socket_fd(m_reader.raw());
  m_waiter.add(m_fd, EPOLLIN, *this);
  on_ready(0);  // a pipe wakes its reader only after a read that found nothing
}

Monitor::~Monitor() {
  m_waiter.remove(m_fd, *this);
  if (m_monitored != nullptr) {
    zmq_socket_monitor(m_monitored, nullptr, 0);
    return;
  }
  // libzmq's threads wait without end to tell something to a reader that has gone: the reader stays
  // until the closed socket is gone, which its linger bounds, or for good.
  const Nanoseconds deadline = now() + k_patience;
  while (!m_ended && now() < deadline) {
    pollfd readable{m_fd, POLLIN, 0};
    ::poll(&readable, 1, 10);
    on_ready(0);
  }
  if (!m_ended) m_reader.release();
}

bool Monitor::is_connected(const std::string& endpoint) const {
  return m_connected_endpoints.contains(endpoint);
}

bool Monitor::is_closed(const std::string& endpoint) const {
  return m_closed.contains(endpoint);
}

void Monitor::on_ready(std::uint32_t /*events*/) noexcept {
  Frame event;
  Frame address;
  while (zmq_msg_recv(event.raw(), m_reader.raw(), ZMQ_DONTWAIT) >= 0) {
    if (!event.more() || zmq_msg_recv(address.raw(), m_reader.raw(), ZMQ_DONTWAIT) < 0) continue;
    if (event.size() != k_event_size) continue;
    std::uint16_t kind = 0;
    std::uint32_t value = 0;
    std::memcpy(&kind, event.bytes().data(), sizeof kind);
    std::memcpy(&value, event.bytes().data() + sizeof kind, sizeof value);
    const auto bytes = address.bytes();
    handle(kind, value, std::string{reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  if (errno == ETERM) m_ended = true;
}

void Monitor::handle(std::uint16_t event, std::uint32_t value, const std::string& endpoint) {
  switch (event) {
    case ZMQ_EVENT_ACCEPTED:
      m_accepted[value] = endpoint;
      if (m_told) m_told(true, endpoint);
      break;
    case ZMQ_EVENT_CONNECTED:
      m_connected.insert(value);
      m_connected_endpoints.insert(endpoint);
      if (m_told) m_told(true, endpoint);
      break;
    case ZMQ_EVENT_DISCONNECTED:
      if (m_told && (m_accepted.contains(value) || m_connected.contains(value))) {
        m_told(false, endpoint);
      }
      // A descriptor's events come in order: libzmq reports the end before it closes it.
      if (m_accepted.erase(value) == 0 && m_connected.erase(value) != 0) {
        const auto it = m_connected_endpoints.find(endpoint);
        if (it != m_connected_endpoints.end()) m_connected_endpoints.erase(it);
      }
      break;
    case ZMQ_EVENT_LISTENING:
      m_closed.erase(endpoint);
      break;
    case ZMQ_EVENT_CLOSED:
      m_closed.insert(endpoint);
      // libzmq cuts those who came in there, and does not tell.
      std::erase_if(m_accepted, [&](const auto& one) {
        if (one.second != endpoint) return false;
        if (m_told) m_told(false, endpoint);
        return true;
      });
      break;
    case ZMQ_EVENT_MONITOR_STOPPED:
      m_ended = true;
      break;
    default:
      break;
  }
}

}  // namespace sluice::core
