// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace sluice::bench {

// The stream mapping of the Scalability Protocols (nng, nanomsg): each side sends a greeting, then
// messages behind their length as 64 bits, most significant first.
inline constexpr std::size_t k_sp_greeting_size = 8;
inline constexpr std::string_view k_sp_publisher{"\0SP\0\0\x20\0\0", k_sp_greeting_size};
inline constexpr std::string_view k_sp_subscriber{"\0SP\0\0\x21\0\0", k_sp_greeting_size};
inline constexpr std::size_t k_sp_length_size = 8;

}  // namespace sluice::bench
