// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::config {

/// Where the HTTP server listens.
struct AdminAddress {
  std::string host;        ///< numeric
  std::uint16_t port = 0;  ///< 0 = any that is free

  [[nodiscard]] bool is_loopback() const noexcept;
};

/// "127.0.0.1:9464", "[::1]:9464", "localhost:9464" or "9464", which is 127.0.0.1; the port may be
/// * for any that is free. Throws BadValue.
[[nodiscard]] AdminAddress parse_admin_address(std::string_view text);

}  // namespace sluice::config
