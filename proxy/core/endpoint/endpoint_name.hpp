// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::core {

enum class Transport : std::uint8_t { inproc, ipc, tcp, other };

[[nodiscard]] Transport transport_of(std::string_view endpoint) noexcept;
/// What follows "://"; empty when there is no such thing.
[[nodiscard]] std::string_view address_of(std::string_view endpoint) noexcept;
/// The form in which endpoints are compared: scheme in lower case, no trailing slash on tcp, no
/// doubled slashes in ipc paths. Names are not resolved.
[[nodiscard]] std::string normalised(std::string_view endpoint);
/// Whether a tcp endpoint is a bracketed IPv6 address (or interface) and needs ZMQ_IPV6.
[[nodiscard]] bool needs_ipv6(std::string_view endpoint) noexcept;

}  // namespace sluice::core
