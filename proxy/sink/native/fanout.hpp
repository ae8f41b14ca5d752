// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"
#include "core/zmq/message.hpp"
#include "sink/native/group.hpp"
#include "sink/native/store.hpp"
#include "sink/native/stream.hpp"
#include "sink/native/topic_tree.hpp"

#include <sluice/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace sluice::sink {

/// What the fan-out asks of the engine.
class FanoutHandler {
 public:
  /// The first subscriber of a topic came, or the last one left.
  virtual void on_topic(bool subscribed, std::string topic) = 0;
  /// The stream's queue is full, but its socket may take something: write to it. It may be let go.
  virtual void on_relieve(Stream& stream) noexcept = 0;
  /// The stream's queue is full: it begins to miss messages.
  virtual void on_fall_off(Stream& stream) noexcept = 0;
  /// Policy `disconnect`: the stream's queue is full; the engine lets it go (`leave`).
  virtual void on_disconnect(Stream& stream) noexcept = 0;

 protected:
  ~FanoutHandler() = default;
};

struct FanoutLimits {
  QueueLimits queue;
  std::size_t max_topics = 1'000'000;       ///< distinct ones
  std::size_t max_memberships = 8'000'000;  ///< topics summed over classes
};

/// Encodes each message once and queues it for every subscriber whose topics it matches; keeps the
/// subscriptions. No socket in here: the engine moves the bytes. Used by one thread.
///
/// Sharing: subscribers with equal sets form a class (Group). A subscriber whose set changes gets a
/// class of its own, which grows with it at a constant cost per change; once the set has been left
/// alone for a while (the longer, the larger it is) it joins the class with the same set.
class Fanout {
 public:
  enum class Offered : std::uint8_t { taken, full };
  enum class Subscribed : std::uint8_t { done, refused };

  Fanout(const FanoutLimits& limits, OnFull policy, FanoutHandler& handler);
  ~Fanout();
  Fanout(const Fanout&) = delete;
  Fanout& operator=(const Fanout&) = delete;

  void set_policy(OnFull policy) noexcept { m_policy = policy; }
  [[nodiscard]] OnFull policy() const noexcept { return m_policy; }

  // Subscribers and what they want
  void join(Stream& stream) noexcept { m_nothing.add(stream); }
  void leave(Stream& stream) noexcept;
  /// Subscribing twice is subscribing once: libzmq's peers count themselves, send every subscribe
  /// and only the last cancel (RFC 37 would have the publisher count).
  Subscribed subscribe(Stream& stream, zmtp::Bytes topic);
  void cancel(Stream& stream, zmtp::Bytes topic);
  /// After a batch of changes: small sets find their class at once.
  void settle(Stream& stream);
  /// Work put off: classes to be joined, topics of those who left. False: there is more at once.
  bool tidy(core::Nanoseconds now, core::Nanoseconds deadline);
  /// When `tidy` has something to do; k_never if nothing.
  [[nodiscard]] core::Nanoseconds tidy_at() const noexcept {
    return m_dissolving.empty() ? m_settle_at : 0;
  }

  // Messages
  /// `full` (policy block only): nothing was taken, `blocker()` has no room.
  Offered offer(core::Message& message, bool give, core::Nanoseconds now);
  /// The stream that the last message found full, while it lives.
  [[nodiscard]] Stream* blocker() const noexcept { return m_blocker; }
  /// Whether another try may succeed.
  [[nodiscard]] bool room() const noexcept {
    return m_blocker == nullptr || !m_blocker->group->full(*m_blocker, m_blocked_bytes);
  }

  // What is to be written
  /// Takes out the next stream that has something and is not blocked; null when there is none.
  [[nodiscard]] Stream* next_ready() noexcept;
  [[nodiscard]] bool anything_ready() const noexcept {
    return !m_ready.empty() || !m_dirty.empty();
  }
  /// Puts it at the end of those to be written to.
  void make_ready(Stream& stream) noexcept {
    if (!stream.blocked && !stream.ready_hook.linked) m_ready.push_back(stream);
  }
  void make_unready(Stream& stream) noexcept {
    if (stream.ready_hook.linked) m_ready.erase(stream);
  }
  /// It has been stuck for a while: what it keeps alive is made small.
  static void compact(Stream& stream) {
    if (stream.group != nullptr) stream.group->compact(stream);
  }
  /// Bytes went to the kernel. True when there is nothing left to send.
  bool sent(Stream& stream, std::uint64_t bytes) noexcept;
  [[nodiscard]] static bool has_data(const Stream& stream) noexcept {
    return stream.cursor.chunk != nullptr || stream.place == Stream::Place::behind;
  }

  [[nodiscard]] std::size_t topics() const noexcept { return m_topics; }
  [[nodiscard]] std::size_t classes() const noexcept { return m_group_count; }
  [[nodiscard]] std::uint64_t delivered() const noexcept { return m_delivered; }
  [[nodiscard]] Store& store() noexcept { return m_store; }

 private:
  struct Encoded {
    std::vector<Piece> pieces;
    std::uint64_t bytes = 0;
  };

  // fanout.cpp
  bool make_room(std::uint64_t bytes);
  void encode(core::Message& message, bool give);
  void put_frame(core::Frame& frame, std::uint8_t flags, bool give);
  [[nodiscard]] std::byte* reserve(std::uint32_t size);
  void extend(std::uint32_t size);

  // classes.cpp
  Group& own_group(Stream& stream);
  Group& make_group();
  void add_topic(Group& group, TopicNode& node);
  void drop_topic(Group& group, TopicNode& node);
  void remove_posting(Group& group, TopicNode& node);
  void changed(Group& group);
  bool try_merge(Group& group);
  bool dissolve_some(core::Nanoseconds deadline);
  void unregister(Group& group) noexcept;
  void forget(Group& group) noexcept;
  void retire(Group& group) noexcept;

  Store m_store;
  FanoutLimits m_limits;
  OnFull m_policy;
  FanoutHandler& m_handler;
  TopicTree m_tree;
  std::size_t m_topics = 0;
  std::size_t m_memberships = 0;
  std::size_t m_group_count = 0;
  std::uint64_t m_delivered = 0;

  ReadyList m_ready;
  Group m_nothing;                                      // the class without topics
  std::unordered_map<std::uint64_t, Group*> m_settled;  // by the set's hash
  std::vector<Group*> m_unsettled;
  core::Nanoseconds m_settle_at = core::k_never;  // the earliest of theirs, or before
  std::vector<Group*> m_dissolving;  // without members; their topics are taken apart in slices
  IntrusiveList<Group, &Group::dirty_hook> m_dirty;

  std::uint64_t m_stamp = 0;
  std::vector<Group*> m_matches;
  Encoded m_encoded;
  Segment* m_segment = nullptr;  // counted
  Stream* m_blocker = nullptr;
  std::uint64_t m_blocked_bytes = 0;
};

}  // namespace sluice::sink
