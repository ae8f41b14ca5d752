// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"

#include <cstdint>
#include <string>

namespace sluice::bench {

/// A non-blocking connection to "tcp://127.0.0.1:PORT", once it is there. Throws
/// std::runtime_error.
[[nodiscard]] core::Fd connect_tcp(const std::string& endpoint);

/// An endpoint "tcp://127.0.0.1:PORT" that nobody had a moment ago, for a program that cannot say
/// which port it got.
[[nodiscard]] std::string free_tcp_endpoint();

/// The port of an endpoint. Throws std::runtime_error for what is not tcp on 127.0.0.1.
[[nodiscard]] std::uint16_t port_of(const std::string& endpoint);

}  // namespace sluice::bench
