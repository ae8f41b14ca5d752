// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"

#include <cstdint>
#include <string>

namespace sluice::bench {

// UDP multicast that never leaves the loopback interface: the kernel's way to reach many listeners
// with one call. An endpoint is "udp://PORT" of the one group used here.

/// A port that nobody listens at.
[[nodiscard]] std::string fresh_multicast_endpoint();
/// A socket that sends to the group with send(2). Throws std::runtime_error.
[[nodiscard]] core::Fd open_multicast_sender(const std::string& endpoint);
/// A non-blocking member of the group. Throws std::runtime_error.
[[nodiscard]] core::Fd open_multicast_listener(const std::string& endpoint);

}  // namespace sluice::bench
