// SPDX-License-Identifier: Apache-2.0
#include "app/ctl/control_client.hpp"

#include "core/zmq/curve.hpp"

#include <cerrno>

namespace sluice::app {
namespace {

constexpr const char* k_monitor = "inproc://monitor";

zmq::socket_type peer_of(config::ControlType type) {
  switch (type) {
    case config::ControlType::rep:
    case config::ControlType::router:
      return zmq::socket_type::req;
    case config::ControlType::pair:
      return zmq::socket_type::pair;
    case config::ControlType::sub:
      return zmq::socket_type::xpub;
    case config::ControlType::pull:
      break;
  }
  return zmq::socket_type::push;
}

bool readable(zmq::socket_t& socket, std::chrono::milliseconds timeout) {
  zmq_pollitem_t item{socket.handle(), 0, ZMQ_POLLIN, 0};
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const int rc = zmq_poll(&item, 1, left.count() > 0 ? static_cast<long>(left.count()) : 0);
    if (rc > 0) return true;
    if (rc == 0 || zmq_errno() != EINTR) return false;
  }
}

}  // namespace

ControlClient::ControlClient(const ControlTarget& target, std::chrono::milliseconds timeout)
    : m_target(target),
      m_timeout(timeout),
      m_socket(m_context, peer_of(target.type)),
      m_monitor(m_context, zmq::socket_type::pair) {
  const int wait = static_cast<int>(timeout.count());
  // One-way commands still travel when the socket is closed; a request that nobody took does not
  // hold the exit back.
  const bool one_way = target.type == config::ControlType::sub ||
                       target.type == config::ControlType::pull ||
                       target.type == config::ControlType::pair;
  m_socket.set(zmq::sockopt::linger, one_way ? wait : 0);
  m_socket.set(zmq::sockopt::immediate, one_way);
  m_socket.set(zmq::sockopt::sndtimeo, wait);
  m_socket.set(zmq::sockopt::rcvtimeo, wait);
  m_socket.set(zmq::sockopt::ipv6, true);
  core::set_curve(m_socket.handle(), target.curve);
  m_monitor.set(zmq::sockopt::linger, 0);
  zmq_socket_monitor(m_socket.handle(), k_monitor, ZMQ_EVENT_DISCONNECTED);
  m_monitor.connect(k_monitor);
  if (zmq_connect(m_socket.handle(), target.endpoint.c_str()) != 0) fail(zmq_strerror(zmq_errno()));
}

std::optional<Frames> ControlClient::request(std::string_view command) {
  send(command);
  if (!is_answered(command)) return {};
  return receive();
}

bool ControlClient::is_answered(std::string_view command) const {
  switch (m_target.type) {
    case config::ControlType::rep:
    case config::ControlType::router:
      return true;
    case config::ControlType::sub:
    case config::ControlType::pull:
      return false;
    case config::ControlType::pair:
      break;
  }
  const std::string_view word = command.substr(0, command.find(' '));
  return word != "PAUSE" && word != "RESUME" && word != "TERMINATE";
}

void ControlClient::send(std::string_view command) {
  // What is published before the subscription has come is lost.
  if (m_target.type == config::ControlType::sub && !readable(m_socket, m_timeout)) {
    fail("nobody listens");
  }
  while (zmq_send(m_socket.handle(), command.data(), command.size(), 0) < 0) {
    if (zmq_errno() == EAGAIN) fail("not connected in time");
    if (zmq_errno() != EINTR) fail(zmq_strerror(zmq_errno()));
  }
}

Frames ControlClient::receive() {
  if (!readable(m_socket, m_timeout)) {
    fail("no answer within " + std::to_string(m_timeout.count()) + " ms");
  }
  Frames frames;
  zmq::message_t frame;
  do {
    if (!m_socket.recv(frame)) fail("the answer broke off");
    frames.push_back(frame.to_string());
  } while (frame.more());
  return frames;
}

bool ControlClient::wait_closed(std::chrono::milliseconds timeout) {
  return readable(m_monitor, timeout);
}

void ControlClient::fail(const std::string& why) const {
  throw Unreachable(m_target.endpoint + ": " + why);
}

}  // namespace sluice::app
