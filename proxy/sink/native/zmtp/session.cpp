// SPDX-License-Identifier: Apache-2.0
#include "sink/native/zmtp/session.hpp"

#include <algorithm>

namespace sluice::zmtp {
namespace {

constexpr std::byte k_cancel{0};
constexpr std::byte k_subscribe{1};

bool is_subscription(Bytes body) noexcept {
  return !body.empty() && (body[0] == k_subscribe || body[0] == k_cancel);
}

void subscription(Bytes body, SessionHandler& handler) {
  if (body[0] == k_subscribe) {
    handler.on_subscribe(body.subspan(1));
  } else {
    handler.on_cancel(body.subspan(1));
  }
}

Refusal refusal_of(GreetingVerdict verdict) noexcept {
  switch (verdict) {
    case GreetingVerdict::bad_signature:
      return Refusal::bad_signature;
    case GreetingVerdict::old_version:
      return Refusal::old_version;
    case GreetingVerdict::other_mechanism:
      return Refusal::other_mechanism;
    case GreetingVerdict::incomplete:
    case GreetingVerdict::accepted:
      break;
  }
  return Refusal::none;
}

}  // namespace

const char* to_string(Refusal refusal) noexcept {
  switch (refusal) {
    case Refusal::none:
      return "none";
    case Refusal::bad_signature:
      return "no ZMTP signature";
    case Refusal::old_version:
      return "ZMTP version below 3.0";
    case Refusal::other_mechanism:
      return "security mechanism other than NULL";
    case Refusal::bad_handshake:
      return "no proper READY";
    case Refusal::wrong_socket_type:
      return "socket type other than SUB and XSUB";
    case Refusal::peer_error:
      return "the peer sent ERROR";
    case Refusal::oversize:
      return "frame over the size limit";
    case Refusal::bad_frame:
      return "invalid frame flags";
    case Refusal::bad_command:
      return "malformed command";
    case Refusal::long_message:
      return "upstream message over its limits";
  }
  return "?";
}

void Session::start(std::string& out) {
  out.append(as_text(make_greeting()));
}

Refusal Session::feed(Bytes input, SessionHandler& handler, std::string& out) {
  if (m_state == State::greeting) {
    const Refusal refusal = greet(input, out);
    if (refusal != Refusal::none || m_state == State::greeting) return refusal;
  }
  for (;;) {
    const Decoded frame = m_decoder.next(input);
    Refusal refusal = Refusal::none;
    switch (frame.status) {
      case DecodeStatus::need_more:
        return Refusal::none;
      case DecodeStatus::oversize:
        return Refusal::oversize;
      case DecodeStatus::bad_flags:
        return Refusal::bad_frame;
      case DecodeStatus::frame:
        if (m_state == State::handshake) {
          refusal = handshake(frame, handler, out);
        } else if ((frame.flags & k_command) != 0) {
          refusal = command(frame, handler);
        } else {
          refusal = message(frame, handler);
        }
    }
    if (refusal != Refusal::none) return refusal;
  }
}

Refusal Session::greet(Bytes& input, std::string& out) {
  const std::size_t count = std::min(input.size(), k_greeting_size - m_greeting_size);
  std::copy_n(input.begin(), count, m_greeting.begin() + m_greeting_size);
  m_greeting_size = static_cast<std::uint8_t>(m_greeting_size + count);
  input = input.subspan(count);
  const GreetingCheck check = check_greeting(Bytes{m_greeting}.first(m_greeting_size));
  if (check.verdict != GreetingVerdict::accepted) return refusal_of(check.verdict);
  m_major = check.major;
  m_minor = check.minor;
  m_state = State::handshake;
  // RFC 37, "The NULL Security Mechanism", has the server answer the client's READY; libzmq's
  // peers send theirs without waiting, and so may we: both must have been exchanged before data.
  append_ready(out);
  return Refusal::none;
}

Refusal Session::handshake(const Decoded& frame, SessionHandler& handler, std::string& out) {
  if ((frame.flags & k_command) == 0) return Refusal::bad_handshake;
  const auto parsed = parse_command(frame.body);
  if (!parsed) return Refusal::bad_handshake;
  if (parsed->name == "ERROR") return Refusal::peer_error;
  if (parsed->name != "READY") return Refusal::bad_handshake;
  Bytes type;
  if (find_property(parsed->data, "Socket-Type", type) != MetadataStatus::ok) {
    return Refusal::bad_handshake;
  }
  if (const auto text = as_text(type); text != "SUB" && text != "XSUB") {
    append_error(out, "this is an XPUB: SUB or XSUB only");
    return Refusal::wrong_socket_type;
  }
  m_state = State::traffic;
  handler.on_ready();
  return Refusal::none;
}

Refusal Session::command(const Decoded& frame, SessionHandler& handler) {
  const auto parsed = parse_command(frame.body);
  if (!parsed) return Refusal::bad_command;
  if (parsed->name == "SUBSCRIBE") {
    handler.on_subscribe(parsed->data);
  } else if (parsed->name == "CANCEL") {
    handler.on_cancel(parsed->data);
  } else if (parsed->name == "PING") {
    const auto ping = parse_ping(parsed->data);
    if (!ping) return Refusal::bad_command;
    handler.on_ping(*ping);
  } else if (parsed->name == "ERROR") {
    return Refusal::peer_error;
  }
  return Refusal::none;
}

Refusal Session::message(const Decoded& frame, SessionHandler& handler) {
  const bool more = (frame.flags & k_more) != 0;
  if (m_upstream == Upstream::between) {
    m_upstream = is_subscription(frame.body) ? Upstream::subscriptions : Upstream::message;
    m_message_size = 0;
  }
  // As libzmq's XPUB does, every frame of a message that begins with a subscription may be one;
  // other frames of such a message have no meaning.
  if (m_upstream == Upstream::subscriptions) {
    if (is_subscription(frame.body)) subscription(frame.body, handler);
  } else {
    m_message_size += frame.body.size();
    if (m_message_size > m_limits.max_message || m_frames.size() >= m_limits.max_frames) {
      return Refusal::long_message;
    }
    m_frames.emplace_back(as_text(frame.body));
    if (!more) {
      handler.on_message(m_frames);
      std::vector<std::string>{}.swap(m_frames);
    }
  }
  if (!more) m_upstream = Upstream::between;
  return Refusal::none;
}

}  // namespace sluice::zmtp
