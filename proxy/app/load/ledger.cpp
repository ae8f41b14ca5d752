// SPDX-License-Identifier: Apache-2.0
#include "app/load/ledger.hpp"

namespace sluice::app::load {
namespace {

constexpr std::size_t k_most_streams = 100'000;

}  // namespace

std::uint64_t stream_of(std::string_view publisher, std::string_view topic) noexcept {
  const std::uint64_t source = source_id(publisher);
  return stream_of(source, std::as_bytes(std::span(topic.data(), topic.size())));
}

std::uint64_t stream_of(std::uint64_t source, std::span<const std::byte> head) noexcept {
  std::size_t size = head.size();
  while (size > 0 && head[size - 1] == std::byte{'.'}) --size;
  const std::string_view topic{reinterpret_cast<const char*>(head.data()), size};
  return source ^ (source_id(topic) * 0x9e3779b97f4a7c15ULL);
}

bool Ledger::take(std::uint64_t stream, std::uint64_t sequence) {
  const auto [at, is_new] = m_next.try_emplace(stream, m_whole ? 0 : sequence);
  if (is_new && m_next.size() > k_most_streams) {
    m_next.erase(at);
    return false;
  }
  std::uint64_t& next = at->second;
  ++m_received;
  if (sequence >= next) {
    m_lost += sequence - next;
    next = sequence + 1;
  } else if (sequence == 0) {
    next = 1;  // its publisher has begun again
  } else {
    ++m_disorder;
  }
  return true;
}

void Ledger::end(std::uint64_t stream, std::uint64_t total) {
  std::uint64_t& next = m_next.try_emplace(stream, 0).first->second;
  if (total <= next) return;
  m_lost += total - next;
  next = total;
}

}  // namespace sluice::app::load
