// SPDX-License-Identifier: Apache-2.0
#include "sink/native/gather.hpp"

#include <algorithm>

namespace sluice::sink {

void Gather::add(const void* at, std::uint64_t size) noexcept {
  if (size == 0 || full()) return;
  const std::size_t taken = std::min<std::uint64_t>(size, m_max - m_bytes);
  m_vector[m_count++] = iovec{const_cast<void*>(at), taken};  // sendmsg reads only
  m_bytes += taken;
}

void Gather::add(const Cursor& cursor, bool one_message) noexcept {
  std::uint64_t sent = cursor.offset;
  for (const Chunk* chunk = cursor.chunk; chunk != nullptr && !full(); chunk = chunk->next) {
    if (sent < chunk->length) {
      add(chunk->segment->bytes.get() + chunk->offset + sent, chunk->length - sent);
    }
    if (chunk->payload != nullptr) {
      const std::uint64_t in_payload = sent > chunk->length ? sent - chunk->length : 0;
      const auto bytes = chunk->payload->frame.bytes().subspan(in_payload);
      add(bytes.data(), bytes.size());
    }
    if (one_message && chunk->ends_message && chunk->size() > sent) return;
    sent = 0;
  }
}

}  // namespace sluice::sink
