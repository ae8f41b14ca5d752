// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"
#include "core/zmq/message.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace sluice::sink {

/// Encoded bytes, written once and shared by everybody who sends them.
struct Segment {
  std::unique_ptr<std::byte[]> bytes;
  Segment* next_free = nullptr;
  std::uint32_t capacity = 0;
  std::uint32_t used = 0;
  std::uint32_t refs = 0;

  [[nodiscard]] std::uint32_t room() const noexcept { return capacity - used; }
};

/// A large payload that stays in libzmq's message.
struct Payload {
  core::Frame frame;
  Payload* next_free = nullptr;
  std::uint32_t refs = 0;
};

/// A stretch of a subscriber class's stream: bytes of a segment, then perhaps one payload. Chunks
/// form a chain; each counts as a user of the next, so whoever holds a place in the chain holds
/// all that follows, and what everybody has passed is freed.
struct Chunk {
  Chunk* next = nullptr;
  Segment* segment = nullptr;
  Payload* payload = nullptr;
  std::uint64_t first_message = 0;  ///< of the stream: messages before this chunk
  std::uint64_t first_byte = 0;
  core::Nanoseconds queued_at = 0;  ///< its first message
  std::uint32_t offset = 0;         ///< in the segment
  std::uint32_t length = 0;         ///< in the segment
  std::uint32_t messages = 0;       ///< that end in this chunk
  std::uint32_t refs = 0;
  bool ends_message = true;  ///< false: the last message goes on in the next chunk

  [[nodiscard]] std::uint64_t payload_size() const noexcept {
    return payload == nullptr ? 0 : payload->frame.size();
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return length + payload_size(); }
};

/// Makes and recycles the above; no allocation in steady state. Used by one thread; outlives all
/// that it made.
class Store {
 public:
  static constexpr std::uint32_t k_segment = 256U << 10;

  Store() = default;
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Returned with one reference. May throw std::bad_alloc.
  [[nodiscard]] Segment* make_segment(std::uint32_t capacity = k_segment);
  [[nodiscard]] Payload* make_payload();
  /// References to segment and payload are added.
  [[nodiscard]] Chunk* make_chunk(Segment* segment, Payload* payload);

  static void ref(Segment* segment) noexcept { ++segment->refs; }
  static void ref(Payload* payload) noexcept {
    if (payload != nullptr) ++payload->refs;
  }
  static void ref(Chunk* chunk) noexcept { ++chunk->refs; }
  void unref(Segment* segment) noexcept {
    if (--segment->refs == 0) recycle(segment);
  }
  void unref(Payload* payload) noexcept {
    if (payload != nullptr && --payload->refs == 0) recycle(payload);
  }
  /// Also drops what only this chunk kept alive.
  void unref(Chunk* chunk) noexcept {
    while (chunk != nullptr && --chunk->refs == 0) chunk = recycle(chunk);
  }

  /// Bytes of segments in use and kept for use.
  [[nodiscard]] std::size_t segment_bytes() const noexcept { return m_segment_bytes; }
  [[nodiscard]] std::size_t live_chunks() const noexcept { return m_live_chunks; }

 private:
  void recycle(Segment* segment) noexcept;
  void recycle(Payload* payload) noexcept;
  Chunk* recycle(Chunk* chunk) noexcept;  // returns the next one

  Segment* m_free_segments = nullptr;
  Payload* m_free_payloads = nullptr;
  Chunk* m_free_chunks = nullptr;
  std::size_t m_free_segment_count = 0;
  std::size_t m_free_payload_count = 0;
  std::size_t m_free_chunk_count = 0;
  std::size_t m_segment_bytes = 0;
  std::size_t m_live_chunks = 0;
};

}  // namespace sluice::sink
