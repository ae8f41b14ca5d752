// SPDX-License-Identifier: Apache-2.0
#include "sink/native/zmtp/decoder.hpp"

#include <algorithm>

namespace sluice::zmtp {
namespace {

/// Above this a buffer that held a broken frame goes back to the allocator.
constexpr std::size_t k_keep = 1024;

}  // namespace

DecodeStatus Decoder::check(const FrameHeader& header) const noexcept {
  if ((header.flags & k_reserved) != 0) return DecodeStatus::bad_flags;
  if ((header.flags & k_command) != 0 && (header.flags & k_more) != 0) {
    return DecodeStatus::bad_flags;
  }
  if (header.length != 0 && header.size > m_max_body) return DecodeStatus::oversize;
  return DecodeStatus::frame;
}

void Decoder::hold(Bytes& input, std::size_t count) {
  const auto part = input.first(count);
  m_held.insert(m_held.end(), part.begin(), part.end());
  input = input.subspan(count);
}

Decoded Decoder::next(Bytes& input) {
  if (m_delivered) {
    m_delivered = false;
    m_held.clear();
    if (m_held.capacity() > k_keep) std::vector<std::byte>{}.swap(m_held);
  }
  if (m_held.empty()) {
    if (input.empty()) return {};
    const FrameHeader header = read_header(input);
    if (const auto status = check(header); status != DecodeStatus::frame) return {status, 0, {}};
    if (header.length == 0 || header.size > input.size() - header.length) {
      hold(input, input.size());
      return {};
    }
    const auto size = static_cast<std::size_t>(header.size);
    const Bytes body = input.subspan(header.length, size);
    input = input.subspan(header.length + size);
    return {DecodeStatus::frame, header.flags, body};
  }
  for (;;) {
    const FrameHeader header = read_header(m_held);
    if (const auto status = check(header); status != DecodeStatus::frame) return {status, 0, {}};
    std::size_t wanted = (header.flags & k_long) != 0 ? k_long_header : k_short_header;
    if (header.length != 0) wanted = header.length + static_cast<std::size_t>(header.size);
    if (header.length != 0 && m_held.size() == wanted) {
      m_delivered = true;
      return {DecodeStatus::frame, header.flags, Bytes{m_held}.subspan(header.length)};
    }
    if (input.empty()) return {};
    hold(input, std::min(input.size(), wanted - m_held.size()));
  }
}

}  // namespace sluice::zmtp
