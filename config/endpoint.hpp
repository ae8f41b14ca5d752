// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sluice::config {

enum class EndpointUse : unsigned char { bind, connect };

enum class Transport : unsigned char { tcp, ipc };

/// An endpoint in its parts. A plain value.
struct Endpoint {
  Transport transport = Transport::tcp;
  std::string host;  ///< tcp, without brackets; "*" for any address
  int port = 0;      ///< tcp; 0 = the system chooses
  std::string path;  ///< ipc, absolute; abstract names begin with @

  /// As libzmq takes it.
  [[nodiscard]] std::string text() const;

  std::string source;  ///< tcp connect: "host:port" or "host" to connect from, often empty
  bool bracketed = false;
};

/// The most bytes of an ipc path.
constexpr std::size_t k_longest_ipc_path = 107;

/// Takes an endpoint apart; opens nothing and resolves no names. A relative ipc path is made
/// absolute with `directory`. Throws BadValue with what is wrong and what is right.
[[nodiscard]] Endpoint parse_endpoint(std::string_view text, EndpointUse use,
                                      const std::string& directory);

/// True where both cannot be bound at the same time: equal, or the same port where one of them
/// takes every address.
[[nodiscard]] bool overlap(const Endpoint& a, const Endpoint& b) noexcept;

}  // namespace sluice::config
