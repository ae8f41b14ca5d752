// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sluice::bench {

// What a client of nats-server says in its text protocol.
inline constexpr std::string_view k_nats_connect =
    "CONNECT "
    "{\"verbose\":false,\"pedantic\":false,\"lang\":\"sluice-bench\",\"version\":\"1\"}\r\n";
inline constexpr std::string_view k_nats_pong = "PONG\r\n";

}  // namespace sluice::bench
