// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/native/zmtp/session.hpp"

#include <cstddef>
#include <cstdint>

namespace sluice::sink {

/// Why a connection ended. The refusals of the protocol come first, in the order of
/// zmtp::Refusal; `none` of those is the peer's own leaving.
enum class Parting : std::uint8_t {
  peer_left,
  bad_signature,
  old_version,
  other_mechanism,
  bad_handshake,
  wrong_socket_type,
  peer_error,
  oversize,
  bad_frame,
  bad_command,
  long_message,
  handshake_timeout,
  silent,         ///< no sign of life within the heartbeat timeout, or its own TTL
  host_gone,      ///< its kernel answers no more
  queue_full,     ///< policy disconnect
  block_timeout,  ///< held a block sink for too long
  too_many_peers,
  no_descriptor,  ///< shed at the descriptor limit
  no_memory,
  sink_closed,
};
inline constexpr std::size_t k_partings = static_cast<std::size_t>(Parting::sink_closed) + 1;

[[nodiscard]] const char* to_string(Parting parting) noexcept;
/// The enumerator's name, as it stands in a status.
[[nodiscard]] const char* word_of(Parting parting) noexcept;
[[nodiscard]] constexpr Parting parting_of(zmtp::Refusal refusal) noexcept {
  return static_cast<Parting>(refusal);
}

}  // namespace sluice::sink
