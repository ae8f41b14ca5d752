// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice::app {

/// The end of every generated message (of its last frame): three unsigned 64-bit integers, little
/// endian. What stands before them is the topic and dots.
struct Payload {
  std::uint64_t source = 0;    ///< FNV-1a of the generator's name
  std::uint64_t sequence = 0;  ///< from 0, one more for each message of this topic
  std::uint64_t time_ns = 0;   ///< CLOCK_REALTIME when it was sent
};

inline constexpr std::size_t k_payload_size = 24;

[[nodiscard]] std::uint64_t source_id(std::string_view name) noexcept;
/// Writes over the last 24 bytes of `message`, which is that long at least.
void write_payload(std::span<std::byte> message, const Payload& payload) noexcept;
/// Nothing for a message that is too short.
[[nodiscard]] std::optional<Payload> read_payload(std::span<const std::byte> message) noexcept;

}  // namespace sluice::app
