// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/control/control_protocol.hpp"
#include "core/zmq/message.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace sluice::core {

/// Reads commands from one libzmq socket of any type and writes the answers back. Owns neither the
/// socket nor its options; used by the thread that owns the socket. Never blocks: an answer that
/// the controller has no room for is dropped whole.
class ControlSocket {
 public:
  enum class Result : std::uint8_t {
    idle,        ///< nothing is waiting; the socket's descriptor may be slept on
    more,        ///< more may be waiting: call again before sleeping
    terminated,  ///< the context was shut down or the socket closed
  };

  /// How a ROUTER finds the command behind a peer's identity.
  enum class Envelope : std::uint8_t {
    optional,  ///< after an empty frame, if that comes first
    of_rep,    ///< and after the identities of devices on the way, as a REP does
  };

  /// A ROUTER can stand for a REP and is to be preferred: libzmq's REP swallows the next answer,
  /// whoever waits for it, when a request without an empty frame came from a peer that has gone
  /// (any byte stream that looks like ZMTP 1.0, say).
  ControlSocket(void* socket, ControlProtocol& protocol,
                Envelope envelope = Envelope::optional) noexcept;

  /// Handles what is waiting, a bounded number of commands at a time. To be called when the
  /// socket's descriptor is readable and once at the beginning.
  [[nodiscard]] Result on_readable() noexcept;

  /// Answers that a controller left no room for.
  [[nodiscard]] std::uint64_t answers_dropped() const noexcept { return m_answers_dropped.get(); }

 private:
  enum class Manner : std::uint8_t {
    always,     ///< REP, ROUTER: one answer to each command
    questions,  ///< PAIR, DEALER: PAUSE, RESUME and TERMINATE stay unanswered
    never,      ///< SUB, PULL, REQ and the rest
  };
  enum class Received : std::uint8_t { message, nothing, terminated };

  [[nodiscard]] static Manner manner_of(int type) noexcept;
  Received receive() noexcept;
  Received on_receive_error() noexcept;
  void take(Frame&& frame, std::size_t position) noexcept;
  void note_sender() noexcept;
  void answer(const ControlAnswer& answer) noexcept;
  bool send_envelope() noexcept;

  void* m_socket;
  ControlProtocol& m_protocol;
  bool m_has_envelope = false;
  Envelope m_envelope;
  Manner m_manner = Manner::never;
  Frame m_identity;
  std::array<Frame, 4> m_hops;  // identities before the delimiter
  std::size_t m_hop_count = 0;
  bool m_delimiter = false;
  Frame m_first;
  std::string m_from;
  std::size_t m_frames = 0;
  Counter m_answers_dropped;
};

}  // namespace sluice::core
