// SPDX-License-Identifier: Apache-2.0
#include "sink/native/group.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice::sink {
namespace {

/// A chunk grows to this: commands go between chunks at the latest.
constexpr std::uint32_t k_chunk_max = 64U << 10;
constexpr std::uint32_t k_dense_segment = 16U << 10;
constexpr std::uint64_t k_compact_max = 64U << 10;

std::uint64_t add_limit(std::uint64_t at, std::uint64_t limit) noexcept {
  return limit > QueueLimits::k_unlimited - at ? QueueLimits::k_unlimited : at + limit;
}

}  // namespace

Group::Members& Group::list_of(const Stream& stream) noexcept {
  switch (stream.place) {
    case Stream::Place::caught_up:
      return m_caught_up;
    case Stream::Place::behind:
      return m_behind;
    case Stream::Place::lagging:
      return m_lagging;
    case Stream::Place::dropping:
      break;
  }
  return m_dropping;
}

void Group::move(Stream& stream, Stream::Place place) noexcept {
  list_of(stream).erase(stream);
  stream.place = place;
  list_of(stream).push_back(stream);
}

void Group::add(Stream& stream) noexcept {
  stream.group = this;
  stream.place = Stream::Place::caught_up;
  m_caught_up.push_back(stream);
}

void Group::remove(Stream& stream) noexcept {
  stream.dropped = dropped(stream);
  list_of(stream).erase(stream);
  stream.cursor.release(m_store);
  stream.group = nullptr;
  if (m_behind.empty()) m_resume.release(m_store);
  idle_if_nobody_behind();
}

void Group::take_over(Group& from, Stream& stream) {
  if (stream.place == Stream::Place::behind) from.start(stream);
  m_total_messages = from.m_total_messages;
  m_total_bytes = from.m_total_bytes;
  if (stream.place == Stream::Place::lagging) {
    m_tail = privatise(stream.cursor, m_store);
    Store::ref(m_tail);
    lower_checks(stream.cursor.message(), stream.cursor.byte());
  }
  from.list_of(stream).erase(stream);
  from.idle_if_nobody_behind();
  stream.group = this;
  list_of(stream).push_back(stream);
}

void Group::start(Stream& stream) noexcept {
  stream.cursor = share(m_resume);
  move(stream, Stream::Place::lagging);
  if (!stream.blocked && !stream.ready_hook.linked) m_ready.push_back(stream);
  if (m_behind.empty()) m_resume.release(m_store);
}

void Group::catch_up(Stream& stream) noexcept {
  stream.cursor.release(m_store);
  move(stream, Stream::Place::caught_up);
  idle_if_nobody_behind();
}

void Group::fall_off(Stream& stream) {
  if (stream.place == Stream::Place::behind) start(stream);
  if (stream.place == Stream::Place::lagging) privatise(stream.cursor, m_store);
  stream.stop_message = m_total_messages;
  stream.stop_byte = m_total_bytes;
  move(stream, Stream::Place::dropping);
  idle_if_nobody_behind();
}

void Group::compact(Stream& stream) {
  const bool alone = stream.place == Stream::Place::lagging && attached() == 1;
  if (!alone && stream.place != Stream::Place::dropping) return;
  std::uint64_t bytes = 0;
  for (const Chunk* c = stream.cursor.chunk; c != nullptr; c = c->next) bytes += c->length;
  if (bytes == 0 || bytes > k_compact_max) return;
  Chunk* last = privatise(stream.cursor, m_store);
  Segment* segment = m_store.make_segment(static_cast<std::uint32_t>(bytes));
  for (Chunk* c = stream.cursor.chunk; c != nullptr; c = c->next) {
    std::memcpy(segment->bytes.get() + segment->used, c->segment->bytes.get() + c->offset,
                c->length);
    Store::ref(segment);
    m_store.unref(c->segment);
    c->segment = segment;
    c->offset = segment->used;
    segment->used += c->length;
  }
  m_store.unref(segment);
  if (!alone) return;
  Store::ref(last);
  m_store.unref(std::exchange(m_tail, last));
}

void Group::rejoin(Stream& stream) noexcept {
  stream.dropped = dropped(stream);
  stream.cursor.release(m_store);
  move(stream, Stream::Place::caught_up);
}

void Group::lower_checks(std::uint64_t message, std::uint64_t byte) noexcept {
  m_check_messages = std::min(m_check_messages, add_limit(message, m_limits.messages));
  m_check_bytes = std::min(m_check_bytes, add_limit(byte, m_limits.bytes));
}

/// All that are caught up stand at the end of the chain: the resume point of what comes next.
void Group::wake_caught_up() noexcept {
  start_all();  // they stand at another point
  m_behind.take(m_caught_up);
  for (Stream* s = m_behind.front(); s != nullptr; s = Members::after(*s)) {
    s->place = Stream::Place::behind;
  }
  if (m_tail != nullptr) {
    m_resume.chunk = m_tail;
    Store::ref(m_tail);
    static_cast<void>(m_resume.finish_chunk());
  }
  m_resume_message = m_total_messages;
  m_resume_byte = m_total_bytes;
  lower_checks(m_resume_message, m_resume_byte);
}

bool Group::append(const Piece* pieces, std::size_t count, std::uint64_t bytes,
                   core::Nanoseconds now) {
  const bool woken = !m_caught_up.empty();
  if (woken) wake_caught_up();
  for (std::size_t i = 0; i < count; ++i) append_piece(pieces[i], now);
  ++m_total_messages;
  m_total_bytes += bytes;
  return woken;
}

void Group::append_piece(const Piece& given, core::Nanoseconds now) {
  // For members that are stuck, sparse messages are copied together: otherwise each would keep a
  // whole segment of other topics' messages alive.
  const bool dense_already = given.segment == m_last_segment && given.offset == m_last_end;
  m_last_segment = given.segment;
  m_last_end = given.offset + given.length;
  Piece piece = given;
  if (!m_lagging.empty() && !dense_already && given.offset != 0 &&
      given.length <= k_dense_segment) {
    copy_dense(piece);
  }
  Chunk* tail = m_tail;
  const bool grows = tail != nullptr && tail->payload == nullptr;
  if (grows && tail->segment == piece.segment && tail->offset + tail->length == piece.offset &&
      tail->length + piece.length <= k_chunk_max && tail->ends_message) {
    tail->length += piece.length;
  } else {
    Chunk* chunk = m_store.make_chunk(piece.segment, nullptr);
    chunk->offset = piece.offset;
    chunk->length = piece.length;
    chunk->first_message = m_total_messages;
    chunk->first_byte = tail == nullptr ? m_total_bytes : tail->first_byte + tail->size();
    chunk->queued_at = now;
    link(chunk);
  }
  m_tail->payload = piece.payload;
  Store::ref(piece.payload);
  m_tail->ends_message = piece.ends_message;
  if (piece.ends_message) ++m_tail->messages;
}

void Group::copy_dense(Piece& piece) {
  if (m_dense == nullptr || m_dense->room() < piece.length) {
    Segment* fresh = m_store.make_segment(k_dense_segment);
    if (m_dense != nullptr) m_store.unref(m_dense);
    m_dense = fresh;
  }
  const std::byte* from = piece.segment->bytes.get() + piece.offset;
  std::memcpy(m_dense->bytes.get() + m_dense->used, from, piece.length);
  piece.segment = m_dense;
  piece.offset = m_dense->used;
  m_dense->used += piece.length;
}

void Group::link(Chunk* chunk) noexcept {
  if (m_tail != nullptr) {
    m_tail->next = chunk;  // the chunk's first reference; the class's is one more
    Store::ref(chunk);
    m_store.unref(m_tail);
  }
  m_tail = chunk;
  if (m_resume.chunk == nullptr && !m_behind.empty()) {
    m_resume.chunk = chunk;
    Store::ref(chunk);
  }
}

void Group::idle_if_nobody_behind() noexcept {
  if (m_behind.empty() && m_lagging.empty()) release_chain();
}

void Group::release_chain() noexcept {
  m_resume.release(m_store);
  if (m_tail != nullptr) m_store.unref(std::exchange(m_tail, nullptr));
  if (m_dense != nullptr) m_store.unref(std::exchange(m_dense, nullptr));
  m_check_messages = m_check_bytes = QueueLimits::k_unlimited;
}

std::uint64_t Group::queued_messages(Stream& stream) const noexcept {
  switch (stream.place) {
    case Stream::Place::caught_up:
      return 0;
    case Stream::Place::behind:
      return m_total_messages - m_resume_message;
    case Stream::Place::lagging:
      stream.cursor.walk();
      return m_total_messages - stream.cursor.message();
    case Stream::Place::dropping:
      break;
  }
  if (stream.cursor.chunk == nullptr) return 0;
  stream.cursor.walk();
  return stream.stop_message - stream.cursor.message();
}

std::uint64_t Group::queued_bytes(const Stream& stream) const noexcept {
  switch (stream.place) {
    case Stream::Place::caught_up:
      return 0;
    case Stream::Place::behind:
      return m_total_bytes - m_resume_byte;
    case Stream::Place::lagging:
      return m_total_bytes - stream.cursor.byte();
    case Stream::Place::dropping:
      break;
  }
  return stream.cursor.chunk == nullptr ? 0 : stream.stop_byte - stream.cursor.byte();
}

core::Nanoseconds Group::oldest(const Stream& stream) const noexcept {
  const Cursor& cursor = stream.place == Stream::Place::behind ? m_resume : stream.cursor;
  const Chunk* chunk = cursor.chunk;
  if (chunk != nullptr && cursor.offset == chunk->size()) chunk = chunk->next;
  return chunk == nullptr ? 0 : chunk->queued_at;
}

bool Group::full(Stream& stream, std::uint64_t bytes) const noexcept {
  if (stream.place == Stream::Place::dropping) return false;
  const std::uint64_t queued = queued_bytes(stream);
  if (queued == 0) return false;
  return queued_messages(stream) >= m_limits.messages ||
         (m_limits.bytes != QueueLimits::k_unlimited && queued + bytes > m_limits.bytes);
}

}  // namespace sluice::sink
