// SPDX-License-Identifier: Apache-2.0
#include "receiver/plain_connection.hpp"

#include <cstring>
#include <stdexcept>

namespace sluice::bench {

namespace {

constexpr std::size_t k_length_size = 4;
constexpr std::uint32_t k_message_limit = 128U << 10;

}  // namespace

std::size_t PlainConnection::consume(std::span<const std::byte> in, Tally& tally,
                                     std::int64_t now_ns) {
  std::size_t consumed = 0;
  while (in.size() - consumed >= k_length_size) {
    std::uint32_t size = 0;
    const auto* const at = in.data() + consumed;
    std::memcpy(&size, at, k_length_size);
    if (size > k_message_limit) throw std::runtime_error("message too long");
    if (in.size() - consumed < k_length_size + size) break;
    if (size >= k_header_size) {
      tally.on_message(m_subscriber, read_header(at + k_length_size), size, now_ns);
    }
    consumed += k_length_size + size;
  }
  return consumed;
}

}  // namespace sluice::bench
