// SPDX-License-Identifier: Apache-2.0
#include "sink/native/fanout.hpp"

#include "sink/native/zmtp/frame.hpp"

#include <cstring>
#include <utility>

namespace sluice::sink {
namespace {

/// From this size on a payload is referenced, not copied: sharing it and one more piece in the
/// gathered write cost about as much as copying this many bytes.
constexpr std::size_t k_reference = 4096;

}  // namespace

Fanout::Offered Fanout::offer(core::Message& message, bool give, core::Nanoseconds now) {
  m_blocker = nullptr;
  m_matches.clear();
  ++m_stamp;
  m_tree.match(message.frame(0).bytes(), [this](const TopicNode& node) {
    for (Group* group : node.postings) {
      if (std::exchange(group->stamp, m_stamp) != m_stamp && group->size() != 0) {
        m_matches.push_back(group);
      }
    }
  });
  if (m_matches.empty()) return Offered::taken;

  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < message.frames(); ++i) {
    const std::size_t size = message.frame(i).size();
    bytes += zmtp::header_size(size) + size;
  }
  if (!make_room(bytes)) return Offered::full;

  bool encoded = false;
  for (Group* group : m_matches) {
    if (group->attached() == 0) {
      group->skip(bytes);
      continue;
    }
    if (!encoded) encode(message, give);
    encoded = true;
    const auto& pieces = m_encoded.pieces;
    if (group->append(pieces.data(), pieces.size(), bytes, now) && !group->dirty_hook.linked) {
      m_dirty.push_back(*group);
    }
  }
  if (encoded) {
    for (const Piece& piece : m_encoded.pieces) {
      m_store.unref(piece.payload);
      m_store.unref(piece.segment);
    }
  }
  return Offered::taken;
}

/// False: a block sink has somebody without room.
bool Fanout::make_room(std::uint64_t bytes) {
  for (Group* group : m_matches) {
    if (!group->may_be_full(bytes)) continue;
    bool stop = false;
    group->check(bytes, [&](Stream& stream) {
      while (!stream.blocked) {
        if (stream.place == Stream::Place::behind) group->start(stream);
        m_handler.on_relieve(stream);
        if (stream.group != group || !group->full(stream, bytes)) return true;
      }
      switch (m_policy) {
        case OnFull::block:
          m_blocker = &stream;
          m_blocked_bytes = bytes;
          stop = true;
          return false;
        case OnFull::disconnect:
          m_handler.on_disconnect(stream);
          return true;
        case OnFull::drop:
          break;
      }
      group->fall_off(stream);
      m_handler.on_fall_off(stream);
      return true;
    });
    if (stop) return false;
  }
  return true;
}

void Fanout::encode(core::Message& message, bool give) {
  m_encoded.pieces.clear();
  const std::size_t frames = message.frames();
  for (std::size_t i = 0; i < frames; ++i) {
    put_frame(message.frame(i), i + 1 < frames ? zmtp::k_more : 0, give);
  }
  m_encoded.pieces.back().ends_message = true;
}

void Fanout::put_frame(core::Frame& frame, std::uint8_t flags, bool give) {
  const std::size_t size = frame.size();
  const bool reference = size >= k_reference;
  const std::size_t inline_size = zmtp::header_size(size) + (reference ? 0 : size);
  std::byte* out = reserve(static_cast<std::uint32_t>(inline_size));
  out += zmtp::write_header(out, flags, size);
  extend(static_cast<std::uint32_t>(inline_size));
  if (!reference) {
    if (size != 0) std::memcpy(out, frame.bytes().data(), size);
    return;
  }
  Payload* payload = m_store.make_payload();
  payload->frame = give ? std::move(frame) : frame.share();
  m_encoded.pieces.back().payload = payload;
}

std::byte* Fanout::reserve(std::uint32_t size) {
  if (m_segment == nullptr || m_segment->room() < size) {
    Segment* fresh = m_store.make_segment();
    if (m_segment != nullptr) m_store.unref(m_segment);
    m_segment = fresh;
  } else if (m_segment->refs == 1) {
    m_segment->used = 0;  // nobody needs its bytes any more, and they are still in the cache
  }
  return m_segment->bytes.get() + m_segment->used;
}

/// The bytes just reserved belong to the message.
void Fanout::extend(std::uint32_t size) {
  auto& pieces = m_encoded.pieces;
  if (pieces.empty() || pieces.back().payload != nullptr || pieces.back().segment != m_segment) {
    Piece piece;
    piece.segment = m_segment;
    piece.offset = m_segment->used;
    Store::ref(m_segment);
    pieces.push_back(piece);
  }
  pieces.back().length += size;
  m_segment->used += size;
}

Stream* Fanout::next_ready() noexcept {
  while (Group* group = m_dirty.front()) {
    group->start_all();
    m_dirty.erase(*group);
  }
  Stream* stream = m_ready.front();
  if (stream != nullptr) m_ready.erase(*stream);
  return stream;
}

bool Fanout::sent(Stream& stream, std::uint64_t bytes) noexcept {
  Cursor& cursor = stream.cursor;
  while (cursor.chunk != nullptr) {
    const std::uint64_t left = cursor.left();
    if (bytes < left) {
      cursor.offset += bytes;
      return false;
    }
    bytes -= left;
    const std::uint32_t completed = cursor.finish_chunk();
    stream.delivered += completed;
    m_delivered += completed;
    if (cursor.chunk->next == nullptr) break;
    cursor.step(m_store);
  }
  if (stream.place == Stream::Place::dropping) {
    stream.group->rejoin(stream);
  } else if (stream.place == Stream::Place::lagging) {
    stream.group->catch_up(stream);
  }
  return true;
}

}  // namespace sluice::sink
