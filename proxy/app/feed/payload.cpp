// SPDX-License-Identifier: Apache-2.0
#include "app/feed/payload.hpp"

namespace sluice::app {
namespace {

void put(std::span<std::byte> to, std::uint64_t value) noexcept {
  for (std::size_t i = 0; i < 8; ++i) to[i] = static_cast<std::byte>(value >> (8 * i));
}

std::uint64_t get(std::span<const std::byte> from) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value |= std::to_integer<std::uint64_t>(from[i]) << (8 * i);
  return value;
}

}  // namespace

std::uint64_t source_id(std::string_view name) noexcept {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

void write_payload(std::span<std::byte> message, const Payload& payload) noexcept {
  const auto end = message.last(k_payload_size);
  put(end.subspan(0, 8), payload.source);
  put(end.subspan(8, 8), payload.sequence);
  put(end.subspan(16, 8), payload.time_ns);
}

std::optional<Payload> read_payload(std::span<const std::byte> message) noexcept {
  if (message.size() < k_payload_size) return {};
  const auto end = message.last(k_payload_size);
  return Payload{get(end.subspan(0, 8)), get(end.subspan(8, 8)), get(end.subspan(16, 8))};
}

}  // namespace sluice::app
