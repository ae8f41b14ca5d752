// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/native/zmtp/greeting.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sluice::zmtp {

/// RFC 37, "Framing": the flags octet.
inline constexpr std::uint8_t k_more = 0x01;
inline constexpr std::uint8_t k_long = 0x02;
inline constexpr std::uint8_t k_command = 0x04;
inline constexpr std::uint8_t k_reserved = 0xF8;

inline constexpr std::size_t k_short_header = 2;
inline constexpr std::size_t k_long_header = 9;
inline constexpr std::size_t k_short_body_max = 255;

struct FrameHeader {
  std::uint8_t flags = 0;
  std::uint8_t length = 0;  ///< of the header itself: 2 or 9; 0 = not all of it is there
  std::uint64_t size = 0;   ///< of the body
};

[[nodiscard]] constexpr std::size_t header_size(std::size_t body) noexcept {
  return body > k_short_body_max ? k_long_header : k_short_header;
}

/// Writes the header of a frame to `out` (room for 9) and returns its length. LONG is set here.
inline std::size_t write_header(std::byte* out, std::uint8_t flags, std::size_t body) noexcept {
  if (body <= k_short_body_max) {
    out[0] = std::byte{flags};
    out[1] = static_cast<std::byte>(body);
    return k_short_header;
  }
  out[0] = std::byte{static_cast<std::uint8_t>(flags | k_long)};
  const std::uint64_t big = __builtin_bswap64(body);
  std::memcpy(out + 1, &big, sizeof big);
  return k_long_header;
}

/// Reads a header from the first bytes of `in`; `length` is 0 when they are too few.
[[nodiscard]] inline FrameHeader read_header(Bytes in) noexcept {
  FrameHeader header;
  if (in.empty()) return header;
  header.flags = std::to_integer<std::uint8_t>(in[0]);
  if ((header.flags & k_long) == 0) {
    if (in.size() < k_short_header) return header;
    header.size = std::to_integer<std::uint64_t>(in[1]);
    header.length = k_short_header;
    return header;
  }
  if (in.size() < k_long_header) return header;
  std::uint64_t big = 0;
  std::memcpy(&big, in.data() + 1, sizeof big);
  header.size = __builtin_bswap64(big);
  header.length = k_long_header;
  return header;
}

}  // namespace sluice::zmtp
