// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/native/intrusive_list.hpp"
#include "sink/native/stream.hpp"
#include "sink/native/topic_set.hpp"

#include <cstdint>
#include <limits>

namespace sluice::sink {

/// How much a subscriber may have queued.
struct QueueLimits {
  static constexpr std::uint64_t k_unlimited = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t messages = k_unlimited;
  std::uint64_t bytes = k_unlimited;  ///< encoded; one message always fits an empty queue
};

/// A stretch of encoded bytes, not counted.
struct Piece {
  Segment* segment = nullptr;
  Payload* payload = nullptr;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  bool ends_message = false;
};

/// A class: the subscribers with equal sets of topics, and the one stream of chunks that they
/// share, each at its own place. Members that have been sent everything cost nothing per message:
/// the first message after that moves them all at once to the resume point, as one list.
///
/// Messages and bytes are counted from the class's beginning; a member's queue is the distance to
/// the total. `may_be_full` says cheaply that nobody can have reached a limit yet. Used by one
/// thread.
class Group {
 public:
  using Members = IntrusiveList<Stream, &Stream::hook>;

  Group(Store& store, const QueueLimits& limits, ReadyList& ready)
      : m_store(store), m_limits(limits), m_ready(ready) {}
  ~Group() { release_chain(); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  TopicSet topics;
  ListHook<Group> dirty_hook;       ///< in the list of those with members `behind`
  std::uint64_t stamp = 0;          ///< the last message that matched
  core::Nanoseconds settle_at = 0;  ///< 0: not waiting to be compared with other classes
  bool registered = false;          ///< in the table of classes by their sets
  std::size_t dissolve_resume = 0;

  [[nodiscard]] std::size_t size() const noexcept { return attached() + m_dropping.size(); }
  /// Those that a message has to be queued for.
  [[nodiscard]] std::size_t attached() const noexcept {
    return m_caught_up.size() + m_behind.size() + m_lagging.size();
  }
  [[nodiscard]] std::uint64_t total_messages() const noexcept { return m_total_messages; }

  // Members
  void add(Stream& stream) noexcept;
  void remove(Stream& stream) noexcept;
  /// Moves the only stream that leaves a shared class into this new one, with what is queued for
  /// it.
  void take_over(Group& from, Stream& stream);
  /// The only member, if it has been sent everything; else null.
  [[nodiscard]] Stream* only_caught_up() const noexcept {
    return size() == 1 ? m_caught_up.front() : nullptr;
  }
  /// A member that is caught up goes over to another class.
  void hand_over(Stream& stream, Group& to) noexcept {
    m_caught_up.erase(stream);
    to.add(stream);
  }
  /// From the resume point to a cursor of its own; unless blocked it is to be written to.
  void start(Stream& stream) noexcept;
  void start_all() noexcept {
    while (!m_behind.empty()) start(*m_behind.front());
  }
  /// It has been sent all there is.
  void catch_up(Stream& stream) noexcept;
  /// Keeps what is queued for it and misses what follows.
  void fall_off(Stream& stream);
  /// Copies what is queued for it, if that is little, out of segments that hold much else.
  void compact(Stream& stream);
  /// It has sent what it kept: takes part again.
  void rejoin(Stream& stream) noexcept;

  // Messages
  [[nodiscard]] bool may_be_full(std::uint64_t bytes) const noexcept {
    return m_total_messages >= m_check_messages || m_total_bytes + bytes > m_check_bytes;
  }
  /// Calls `full(stream)` for every attached member that has no room for a message of `bytes`;
  /// it may write to the stream, make it fall off or remove it, and returns whether to go on.
  template <typename Full>
  void check(std::uint64_t bytes, Full&& full);
  /// Queues a message for everybody attached. True when members became `behind`.
  bool append(const Piece* pieces, std::size_t count, std::uint64_t bytes, core::Nanoseconds now);
  /// Counts a message that nobody attached is there for.
  void skip(std::uint64_t bytes) noexcept {
    ++m_total_messages;
    m_total_bytes += bytes;
  }

  // What is queued for a member
  [[nodiscard]] std::uint64_t queued_messages(Stream& stream) const noexcept;
  [[nodiscard]] std::uint64_t queued_bytes(const Stream& stream) const noexcept;
  [[nodiscard]] std::uint64_t dropped(const Stream& stream) const noexcept {
    return stream.dropped +
           (stream.place == Stream::Place::dropping ? m_total_messages - stream.stop_message : 0);
  }
  /// When the oldest queued message came; 0 = nothing queued.
  [[nodiscard]] core::Nanoseconds oldest(const Stream& stream) const noexcept;
  [[nodiscard]] bool full(Stream& stream, std::uint64_t bytes) const noexcept;

 private:
  void wake_caught_up() noexcept;
  void append_piece(const Piece& piece, core::Nanoseconds now);
  void copy_dense(Piece& piece);
  void link(Chunk* chunk) noexcept;
  void idle_if_nobody_behind() noexcept;
  void release_chain() noexcept;
  [[nodiscard]] Members& list_of(const Stream& stream) noexcept;
  void move(Stream& stream, Stream::Place place) noexcept;
  void lower_checks(std::uint64_t message, std::uint64_t byte) noexcept;

  Store& m_store;
  const QueueLimits& m_limits;
  ReadyList& m_ready;
  Chunk* m_tail = nullptr;     // counted
  Cursor m_resume;             // where the members of `m_behind` are; no chunk: the next one made
  Segment* m_dense = nullptr;  // counted: bytes copied together for members that are stuck
  const Segment* m_last_segment = nullptr;  // where the last piece came from; never followed
  std::uint32_t m_last_end = 0;
  std::uint64_t m_resume_message = 0;
  std::uint64_t m_resume_byte = 0;
  std::uint64_t m_total_messages = 0;
  std::uint64_t m_total_bytes = 0;
  std::uint64_t m_check_messages = QueueLimits::k_unlimited;
  std::uint64_t m_check_bytes = QueueLimits::k_unlimited;
  Members m_caught_up;
  Members m_behind;
  Members m_lagging;
  Members m_dropping;
};

template <typename Full>
void Group::check(std::uint64_t bytes, Full&& full_stream) {
  m_check_messages = m_check_bytes = QueueLimits::k_unlimited;
  if (!m_behind.empty()) lower_checks(m_resume_message, m_resume_byte);
  for (Members* list : {&m_behind, &m_lagging}) {
    for (Stream* stream = list->front(); stream != nullptr;) {
      Stream* next = Members::after(*stream);
      if (full(*stream, bytes)) {
        if (!full_stream(*stream)) {
          m_check_messages = m_check_bytes = 0;  // not all were looked at
          return;
        }
        if (stream->group != this) {
          stream = next;
          continue;
        }
      } else if (stream->place == Stream::Place::behind) {
        break;  // the others have as much room
      }
      if (stream->place == Stream::Place::lagging) {
        lower_checks(stream->cursor.message(), stream->cursor.byte());
      }
      stream = next;
    }
  }
}

}  // namespace sluice::sink
