// SPDX-License-Identifier: Apache-2.0
#include "receiver/sp_connection.hpp"

#include "sp.hpp"

#include <cstring>
#include <stdexcept>

namespace sluice::bench {

namespace {

constexpr std::uint64_t k_message_limit = 128U << 10;

std::uint64_t read_length(const std::byte* from) {
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < k_sp_length_size; ++i) {
    length = length << 8U | std::to_integer<std::uint64_t>(from[i]);
  }
  return length;
}

}  // namespace

void SpConnection::on_connected() {
  write_all(k_sp_subscriber);
}

std::size_t SpConnection::consume(std::span<const std::byte> in, Tally& tally,
                                  std::int64_t now_ns) {
  std::size_t consumed = 0;
  if (!m_open) {
    if (in.size() < k_sp_greeting_size) return 0;
    if (std::memcmp(in.data(), k_sp_publisher.data(), k_sp_greeting_size) != 0) {
      throw std::runtime_error("the other end is no publisher");
    }
    m_open = true;
    consumed = k_sp_greeting_size;
  }
  while (in.size() - consumed >= k_sp_length_size) {
    const auto* const at = in.data() + consumed;
    const auto size = read_length(at);
    if (size > k_message_limit) throw std::runtime_error("message too long");
    const auto whole = k_sp_length_size + static_cast<std::size_t>(size);
    if (in.size() - consumed < whole) break;
    if (size >= k_header_size) {
      tally.on_message(m_subscriber, read_header(at + k_sp_length_size),
                       static_cast<std::size_t>(size), now_ns);
    }
    consumed += whole;
  }
  return consumed;
}

}  // namespace sluice::bench
