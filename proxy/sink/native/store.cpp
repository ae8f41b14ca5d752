// SPDX-License-Identifier: Apache-2.0
#include "sink/native/store.hpp"

namespace sluice::sink {
namespace {

// What is kept for the next burst; the rest goes back to the allocator.
constexpr std::size_t k_keep_segments = 16;
constexpr std::size_t k_keep_payloads = 1024;
constexpr std::size_t k_keep_chunks = 8192;

}  // namespace

Store::~Store() {
  while (m_free_segments != nullptr)
    delete std::exchange(m_free_segments, m_free_segments->next_free);
  while (m_free_payloads != nullptr)
    delete std::exchange(m_free_payloads, m_free_payloads->next_free);
  while (m_free_chunks != nullptr) delete std::exchange(m_free_chunks, m_free_chunks->next);
}

Segment* Store::make_segment(std::uint32_t capacity) {
  Segment* segment = nullptr;
  if (capacity == k_segment && m_free_segments != nullptr) {
    segment = m_free_segments;
    m_free_segments = segment->next_free;
    --m_free_segment_count;
    segment->used = 0;
  } else {
    auto made = std::make_unique<Segment>();
    made->bytes = std::make_unique_for_overwrite<std::byte[]>(capacity);
    made->capacity = capacity;
    m_segment_bytes += capacity;
    segment = made.release();
  }
  segment->refs = 1;
  return segment;
}

Payload* Store::make_payload() {
  Payload* payload = m_free_payloads;
  if (payload != nullptr) {
    m_free_payloads = payload->next_free;
    --m_free_payload_count;
  } else {
    payload = std::make_unique<Payload>().release();
  }
  payload->refs = 1;
  return payload;
}

Chunk* Store::make_chunk(Segment* segment, Payload* payload) {
  Chunk* chunk = m_free_chunks;
  if (chunk != nullptr) {
    m_free_chunks = chunk->next;
    --m_free_chunk_count;
    *chunk = Chunk{};
  } else {
    chunk = std::make_unique<Chunk>().release();
  }
  ++m_live_chunks;
  ref(segment);
  ref(payload);
  chunk->segment = segment;
  chunk->payload = payload;
  chunk->refs = 1;
  return chunk;
}

void Store::recycle(Segment* segment) noexcept {
  if (segment->capacity == k_segment && m_free_segment_count < k_keep_segments) {
    segment->next_free = m_free_segments;
    m_free_segments = segment;
    ++m_free_segment_count;
    return;
  }
  m_segment_bytes -= segment->capacity;
  delete segment;
}

void Store::recycle(Payload* payload) noexcept {
  if (m_free_payload_count >= k_keep_payloads) {
    delete payload;
    return;
  }
  payload->frame = core::Frame{};
  payload->next_free = m_free_payloads;
  m_free_payloads = payload;
  ++m_free_payload_count;
}

Chunk* Store::recycle(Chunk* chunk) noexcept {
  Chunk* next = chunk->next;
  --m_live_chunks;
  unref(chunk->segment);
  unref(chunk->payload);
  if (m_free_chunk_count >= k_keep_chunks) {
    delete chunk;
  } else {
    chunk->next = m_free_chunks;
    m_free_chunks = chunk;
    ++m_free_chunk_count;
  }
  return next;
}

}  // namespace sluice::sink
