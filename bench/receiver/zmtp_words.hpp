// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice::bench {

// What a SUB socket says in ZMTP 3.0 with the mechanism NULL, and the flags of a frame.
inline constexpr std::size_t k_zmtp_greeting_size = 64;
inline constexpr unsigned k_zmtp_more = 1;
inline constexpr unsigned k_zmtp_long = 2;
inline constexpr unsigned k_zmtp_command = 4;

[[nodiscard]] std::string zmtp_greeting();
[[nodiscard]] std::string zmtp_ready();
/// The topic must be shorter than 255 bytes.
[[nodiscard]] std::string zmtp_subscription(std::string_view topic);

}  // namespace sluice::bench
