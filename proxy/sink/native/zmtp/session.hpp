// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/native/zmtp/command.hpp"
#include "sink/native/zmtp/decoder.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sluice::zmtp {

/// Why a session ended; all but `none` are final.
enum class Refusal : std::uint8_t {
  none,
  bad_signature,
  old_version,
  other_mechanism,
  bad_handshake,  ///< something other than a well-formed READY
  wrong_socket_type,
  peer_error,    ///< the peer sent ERROR: RFC 37, "Error Handling": fatal
  oversize,      ///< a frame over the limit
  bad_frame,     ///< reserved flags, MORE on a command
  bad_command,   ///< a command whose body is malformed
  long_message,  ///< an upstream message over its limits
};
[[nodiscard]] const char* to_string(Refusal refusal) noexcept;

/// What a peer's traffic asks for. Bytes are valid during the call only.
class SessionHandler {
 public:
  /// The handshake is complete: data may flow.
  virtual void on_ready() = 0;
  virtual void on_subscribe(Bytes topic) = 0;
  virtual void on_cancel(Bytes topic) = 0;
  /// A whole message that is no subscription.
  virtual void on_message(std::span<const std::string> frames) = 0;
  virtual void on_ping(const Ping& ping) = 0;

 protected:
  ~SessionHandler() = default;
};

struct SessionLimits {
  std::uint64_t max_frame = 64U << 10;   ///< body of one frame
  std::uint64_t max_message = 1U << 20;  ///< all frames of a message that is no subscription
  std::size_t max_frames = 1024;         ///< of such a message
};

/// The publisher's side of one ZMTP 3.x connection with a SUB or XSUB (RFC 37; 3.0 peers as of RFC
/// 23): bytes in, events and bytes out, no socket and no clock. Subscriptions come as messages that
/// begin with 1 or 0 (RFC 23) or as SUBSCRIBE and CANCEL (RFC 37, "The Publish-Subscribe Pattern");
/// both are taken from any peer. Unknown commands after the handshake are ignored. Used by one
/// thread.
class Session {
 public:
  explicit Session(const SessionLimits& limits) noexcept
      : m_limits(limits), m_decoder(limits.max_frame) {}

  /// Appends the greeting: sent at once, the whole of it (RFC 37, "Version Negotiation": no
  /// downgrade is offered).
  static void start(std::string& out);

  /// Takes what has arrived. What is to be sent (READY, ERROR) is appended to `out`. After a
  /// refusal nothing more may be fed.
  [[nodiscard]] Refusal feed(Bytes input, SessionHandler& handler, std::string& out);

  [[nodiscard]] bool ready() const noexcept { return m_state == State::traffic; }
  /// Peers that announced 3.1 or more understand PING (RFC 37); 3.0 ones may not.
  [[nodiscard]] bool understands_ping() const noexcept {
    return m_major > 3 || (m_major == 3 && m_minor >= 1);
  }

 private:
  enum class State : std::uint8_t { greeting, handshake, traffic };
  enum class Upstream : std::uint8_t { between, subscriptions, message };

  Refusal greet(Bytes& input, std::string& out);
  Refusal handshake(const Decoded& frame, SessionHandler& handler, std::string& out);
  Refusal command(const Decoded& frame, SessionHandler& handler);
  Refusal message(const Decoded& frame, SessionHandler& handler);

  SessionLimits m_limits;
  Decoder m_decoder;
  std::vector<std::string> m_frames;  ///< of a message still coming in
  std::uint64_t m_message_size = 0;
  std::array<std::byte, k_greeting_size> m_greeting{};
  std::uint8_t m_greeting_size = 0;
  std::uint8_t m_major = 0;
  std::uint8_t m_minor = 0;
  State m_state = State::greeting;
  Upstream m_upstream = Upstream::between;
};

}  // namespace sluice::zmtp
