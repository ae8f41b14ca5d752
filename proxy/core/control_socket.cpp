// SPDX-License-Identifier: Apache-2.0
#include "core/control_socket.hpp"

#include <cerrno>
#include <utility>

namespace sluice::core {
namespace {

constexpr int k_commands_per_call = 32;

int type_of(void* socket) noexcept {
  int type = -1;
  std::size_t size = sizeof type;
  zmq_getsockopt(socket, ZMQ_TYPE, &type, &size);
  return type;
}

int receive_frame(void* socket, Frame& frame) noexcept {
  int rc = 0;
  do {
    rc = zmq_msg_recv(frame.raw(), socket, ZMQ_DONTWAIT);
  } while (rc < 0 && errno == EINTR);
  return rc;
}

bool send_frame(void* socket, const void* data, std::size_t size, bool more) noexcept {
  const int flags = ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0);
  int rc = 0;
  do {
    rc = zmq_send(socket, data, size, flags);
  } while (rc < 0 && errno == EINTR);
  return rc >= 0;
}

std::string_view text_of(const Frame& frame) noexcept {
  const auto bytes = frame.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

ControlSocket::ControlSocket(void* socket, ControlProtocol& protocol) noexcept
    : m_socket(socket), m_protocol(protocol) {
  const int type = type_of(socket);
  m_has_envelope = type == ZMQ_ROUTER;
  m_manner = manner_of(type);
}

ControlSocket::Manner ControlSocket::manner_of(int type) noexcept {
  switch (type) {
    case ZMQ_REP:
    case ZMQ_ROUTER:
      return Manner::always;
    case ZMQ_PAIR:
    case ZMQ_DEALER:
      return Manner::questions;
    default:
      return Manner::never;
  }
}

ControlSocket::Result ControlSocket::on_readable() noexcept {
  for (int i = 0; i < k_commands_per_call; ++i) {
    switch (receive()) {
      case Received::nothing:
        return Result::idle;
      case Received::terminated:
        return Result::terminated;
      case Received::message:
        break;
    }
    const ControlInput input{text_of(m_first), m_frames, m_manner != Manner::never};
    answer(m_protocol.handle(input));
  }
  return Result::more;
}

ControlSocket::Received ControlSocket::receive() noexcept {
  m_frames = 0;
  m_delimiter = false;
  m_first = Frame{};
  m_identity = Frame{};
  // All frames of a message arrive together, so only the first receive can find nothing.
  for (std::size_t position = 0;; ++position) {
    Frame frame;
    if (receive_frame(m_socket, frame) < 0) return on_receive_error();
    const bool more = frame.more();
    take(std::move(frame), position);
    if (!more) return Received::message;
  }
}

ControlSocket::Received ControlSocket::on_receive_error() noexcept {
  if (errno == ETERM || errno == ENOTSOCK) return Received::terminated;
  if (errno != EAGAIN) {
    // Out of turn (REQ) or unable to receive at all: libzmq has not looked at its commands then,
    // and the descriptor would stay readable for ever.
    int events = 0;
    std::size_t size = sizeof events;
    zmq_getsockopt(m_socket, ZMQ_EVENTS, &events, &size);
  }
  return Received::nothing;
}

void ControlSocket::take(Frame&& frame, std::size_t position) noexcept {
  if (m_has_envelope && position == 0) {
    m_identity = std::move(frame);
    return;
  }
  if (m_has_envelope && position == 1 && frame.size() == 0) {
    m_delimiter = true;
    return;
  }
  if (m_frames++ == 0) m_first = std::move(frame);
}

void ControlSocket::answer(const ControlAnswer& answer) noexcept {
  if (m_manner == Manner::never) return;
  if (m_manner == Manner::questions && answer.classic) return;
  if (answer.reply.empty()) {  // out of memory: still one reply to each command
    if (!send_envelope() || !send_frame(m_socket, "ERR - failed", 12, false)) {
      m_answers_dropped.add(1);
    }
    return;
  }
  // The first frame decides: libzmq takes the rest of a message whose beginning it took, or
  // swallows it when the peer has gone meanwhile.
  bool taken = send_envelope();
  for (std::size_t i = 0; taken && i < answer.reply.size(); ++i) {
    const std::string& frame = answer.reply[i];
    taken = send_frame(m_socket, frame.data(), frame.size(), i + 1 < answer.reply.size());
  }
  if (!taken) m_answers_dropped.add(1);
}

bool ControlSocket::send_envelope() noexcept {
  if (!m_has_envelope) return true;
  const auto identity = m_identity.bytes();
  if (!send_frame(m_socket, identity.data(), identity.size(), true)) return false;
  return !m_delimiter || send_frame(m_socket, "", 0, true);
}

}  // namespace sluice::core
