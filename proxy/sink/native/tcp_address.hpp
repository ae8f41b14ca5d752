// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <sys/socket.h>

namespace sluice::sink {

struct TcpAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;

  [[nodiscard]] const sockaddr* get() const noexcept {
    return reinterpret_cast<const sockaddr*>(&storage);
  }
};

/// The address to bind for "tcp://HOST:PORT". HOST: an IPv4 address, an IPv6 address (in brackets,
/// perhaps with %zone), the name of a network interface (its first IPv4 address, else IPv6),
/// "localhost", or "*" (any IPv4). PORT: a number, or "*" or "0" for one of the system's choice.
/// Names are not looked up. Throws EndpointError.
[[nodiscard]] TcpAddress resolve_tcp(const std::string& endpoint);

/// "tcp://127.0.0.1:5556", "tcp://[::1]:5556".
[[nodiscard]] std::string tcp_text(const sockaddr_storage& address);

}  // namespace sluice::sink
