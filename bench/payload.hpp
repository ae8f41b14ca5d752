// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sluice::bench {

/// What every benchmark message begins with; the rest of it is filler. Native byte order: source
/// and receiver are the same machine.
struct Header {
  std::uint64_t sequence = 0;  ///< per source, from 0; in rounds the number of the round
  std::int64_t sent_ns = 0;    ///< CLOCK_MONOTONIC when sent, or due; 0 = carries no time
  std::uint16_t source = 0;
  std::uint16_t kind = 0;  ///< k_data or k_probe
};

inline constexpr std::uint16_t k_data = 0;
inline constexpr std::uint16_t k_probe = 1;

inline constexpr std::size_t k_topic_size = 4;
inline constexpr std::string_view k_data_topic = "data";
/// Sent before a measurement only, so that a subscriber knows that its subscriptions have reached
/// every source.
inline constexpr std::string_view k_probe_topic = "prob";

inline constexpr std::size_t k_header_size = k_topic_size + 8 + 8 + 2 + 2;

inline void write_header(std::byte* to, const Header& header) noexcept {
  std::memcpy(to, (header.kind == k_probe ? k_probe_topic : k_data_topic).data(), k_topic_size);
  std::memcpy(to + 4, &header.sequence, 8);
  std::memcpy(to + 12, &header.sent_ns, 8);
  std::memcpy(to + 20, &header.source, 2);
  std::memcpy(to + 22, &header.kind, 2);
}

/// `from` must hold k_header_size bytes.
[[nodiscard]] inline Header read_header(const std::byte* from) noexcept {
  Header header;
  std::memcpy(&header.sequence, from + 4, 8);
  std::memcpy(&header.sent_ns, from + 12, 8);
  std::memcpy(&header.source, from + 20, 2);
  std::memcpy(&header.kind, from + 22, 2);
  return header;
}

}  // namespace sluice::bench
