// SPDX-License-Identifier: Apache-2.0
#include "core/control/control_socket.hpp"

#include <array>
#include <cerrno>
#include <new>
#include <string>
#include <string_view>
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

bool is_number(std::string_view text) noexcept {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// What libzmq tells of a peer: "localhost:uid:gid:pid" of a Unix socket (SO_PEERCRED), else an
// address, that of IPv4 perhaps as IPv6.
std::string sender_text(std::string_view address) {
  constexpr std::string_view k_mapped = "::ffff:";
  if (address.starts_with(k_mapped)) address.remove_prefix(k_mapped.size());
  std::array<std::string_view, 3> fields;  // pid, gid, uid
  std::string_view rest = address;
  for (auto& field : fields) {
    const auto colon = rest.rfind(':');
    if (colon == std::string_view::npos) return std::string(address);
    field = rest.substr(colon + 1);
    rest = rest.substr(0, colon);
    if (!is_number(field)) return std::string(address);
  }
  if (!rest.empty() && rest != "localhost" && rest.front() != '/') return std::string(address);
  return "pid " + std::string(fields[0]) + ", uid " + std::string(fields[2]);
}

std::string_view text_of(const Frame& frame) noexcept {
  const auto bytes = frame.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

ControlSocket::ControlSocket(void* socket, ControlProtocol& protocol, Envelope envelope) noexcept
    : m_socket(socket), m_protocol(protocol), m_envelope(envelope) {
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
    const ControlInput input{text_of(m_first), m_frames, m_manner != Manner::never, m_from};
    answer(m_protocol.handle(input));
  }
  return Result::more;
}

ControlSocket::Received ControlSocket::receive() noexcept {
  m_frames = 0;
  m_from.clear();
  m_delimiter = false;
  m_hop_count = 0;
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
  if (m_has_envelope && !m_delimiter && frame.size() == 0 && position == m_hop_count + 1) {
    m_delimiter = true;
    m_frames = 0;
    m_first = Frame{};
    return;
  }
  if (m_envelope == Envelope::of_rep && !m_delimiter && m_hop_count < m_hops.size() &&
      position == m_hop_count + 1) {
    m_hops[m_hop_count++] = frame.share();
  }
  if (m_frames++ != 0) return;
  m_first = std::move(frame);
  note_sender();
}

void ControlSocket::note_sender() noexcept {
  try {
    const char* address = zmq_msg_gets(m_first.raw(), "Peer-Address");
    if (address != nullptr) m_from = sender_text(address);
    const char* user = zmq_msg_gets(m_first.raw(), "User-Id");
    if (user != nullptr && *user != '\0') m_from += ", key " + std::string(user);
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): then it is not named
  }
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
  for (std::size_t i = 0; m_delimiter && i < m_hop_count; ++i) {
    const auto hop = m_hops[i].bytes();
    if (!send_frame(m_socket, hop.data(), hop.size(), true)) return false;
  }
  return !m_delimiter || send_frame(m_socket, "", 0, true);
}

}  // namespace sluice::core
