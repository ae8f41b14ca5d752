// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/options.hpp>

#include <cstdint>

namespace sluice::core {

/// How a dead peer is found.
enum class Liveness : std::uint8_t {
  heartbeats,    ///< ZMTP PING and PONG, and TCP keepalive
  user_timeout,  ///< TCP keepalive and TCP_USER_TIMEOUT
  keepalive,     ///< TCP keepalive alone, where a live peer may leave its window shut
};

/// Sets buffers, reconnection and liveness on a libzmq socket, before its first endpoint. Throws
/// std::runtime_error naming the option.
void set_link_options(void* socket, const LinkOptions& link, Liveness liveness);

}  // namespace sluice::core
