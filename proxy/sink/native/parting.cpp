// SPDX-License-Identifier: Apache-2.0
#include "sink/native/parting.hpp"

#include <array>

namespace sluice::sink {

static_assert(parting_of(zmtp::Refusal::bad_signature) == Parting::bad_signature);
static_assert(parting_of(zmtp::Refusal::long_message) == Parting::long_message);

const char* word_of(Parting parting) noexcept {
  static constexpr std::array<const char*, k_partings> k_words{
      "peer_left",         "bad_signature",     "old_version",   "other_mechanism", "bad_handshake",
      "wrong_socket_type", "peer_error",        "oversize",      "bad_frame",       "bad_command",
      "long_message",      "handshake_timeout", "silent",        "host_gone",       "queue_full",
      "block_timeout",     "too_many_peers",    "no_descriptor", "no_memory",       "sink_closed"};
  static_assert(k_words.back() != nullptr);
  return k_words[static_cast<std::size_t>(parting)];
}

const char* to_string(Parting parting) noexcept {
  switch (parting) {
    case Parting::peer_left:
      return "the peer left";
    case Parting::handshake_timeout:
      return "no handshake in time";
    case Parting::silent:
      return "no sign of life";
    case Parting::host_gone:
      return "its host does not answer";
    case Parting::queue_full:
      return "its queue is full (on_full = disconnect)";
    case Parting::block_timeout:
      return "it held the sink for longer than block_timeout";
    case Parting::too_many_peers:
      return "max_peers is reached";
    case Parting::no_descriptor:
      return "no file descriptor is left";
    case Parting::no_memory:
      return "out of memory";
    case Parting::sink_closed:
      return "the sink closes";
    default:
      return zmtp::to_string(static_cast<zmtp::Refusal>(parting));
  }
}

}  // namespace sluice::sink
