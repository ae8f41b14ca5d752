// SPDX-License-Identifier: Apache-2.0
#include "sink/native/fanout.hpp"

#include "engine_host.hpp"
#include "raw_client.hpp"
#include "sink/native/gather.hpp"
#include "sink/native/zmtp/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace sluice;
using namespace sluice::sink;
using sluice::test::Parts;
using sluice::zmtp::as_bytes;

std::string wire(const Parts& parts) {
  std::string bytes;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    bytes += test::wire_frame(i + 1 < parts.size() ? zmtp::k_more : 0, parts[i]);
  }
  return bytes;
}

/// A subscriber that takes as many bytes as it is allowed to, beside a model of what it should get.
struct Reader : Stream {
  std::string got;
  std::set<std::string> topics;
  std::string wanted;                   // what was accepted for it
  std::vector<std::size_t> boundaries;  // of messages in `wanted`
  std::uint64_t accepted = 0;
  std::uint64_t missed = 0;
  bool falling = false;
  bool gone = false;

  [[nodiscard]] std::uint64_t queued() const {
    return static_cast<std::uint64_t>(
        std::count_if(boundaries.begin(), boundaries.end(),
                      [this](std::size_t end) { return end > got.size(); }));
  }
};

class FanoutTest : public testing::Test, public FanoutHandler {
 protected:
  void make(OnFull policy, std::uint64_t messages = QueueLimits::k_unlimited,
            std::uint64_t bytes = QueueLimits::k_unlimited, std::size_t max_topics = 1'000'000) {
    FanoutLimits limits;
    limits.queue = {messages, bytes};
    limits.max_topics = max_topics;
    fanout = std::make_unique<Fanout>(limits, policy, *this);
  }
  Reader& join() {
    readers.push_back(std::make_unique<Reader>());
    fanout->join(*readers.back());
    return *readers.back();
  }
  void TearDown() override {
    for (auto& reader : readers) {
      if (!reader->gone) fanout->leave(*reader);
    }
    fanout->tidy(core::k_never - 1, core::k_never);
    EXPECT_EQ(fanout->topics(), 0U);
    EXPECT_EQ(fanout->classes(), 0U);
    EXPECT_EQ(fanout->store().live_chunks(), 0U);
    EXPECT_TRUE(union_of_topics.empty());
  }

  void on_topic(bool subscribed, std::string topic) override {
    if (subscribed) {
      EXPECT_TRUE(union_of_topics.insert(topic).second) << topic;
    } else {
      EXPECT_EQ(union_of_topics.erase(topic), 1U) << topic;
    }
  }
  void on_relieve(Stream& stream) noexcept override {
    fanout->make_unready(stream);
    if (relief != 0) write(static_cast<Reader&>(stream), relief);
    if (relief == 0 || ++relieved % 3 == 0) {
      stream.blocked = true;
    } else if (Fanout::has_data(stream)) {
      fanout->make_ready(stream);
    }
  }
  void on_fall_off(Stream& stream) noexcept override {
    static_cast<Reader&>(stream).falling = true;
  }
  void on_disconnect(Stream& stream) noexcept override {
    static_cast<Reader&>(stream).gone = true;
    fanout->leave(stream);
  }

  Fanout::Offered offer(const Parts& parts) {
    core::Message message;
    test::fill(message, parts);
    return fanout->offer(message, true, 1);
  }
  /// Sends up to `bytes` to a reader.
  void write(Reader& reader, std::size_t bytes) {
    if (reader.place == Stream::Place::behind) reader.group->start(reader);
    Gather gather{bytes};
    gather.add(reader.cursor, false);
    for (std::size_t i = 0; i < gather.pieces(); ++i) {
      const iovec& piece = gather.data()[i];
      reader.got.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
    }
    if (!gather.empty()) fanout->sent(reader, gather.bytes());
  }
  void write_all(Reader& reader) {
    while (Fanout::has_data(reader)) write(reader, 1 << 20);
  }
  void flush() {
    while (Stream* stream = fanout->next_ready()) write_all(static_cast<Reader&>(*stream));
  }

  /// What relief takes; 0: nothing, it is blocked.
  std::size_t relief = 0;
  std::size_t relieved = 0;
  std::unique_ptr<Fanout> fanout;
  std::vector<std::unique_ptr<Reader>> readers;
  std::set<std::string> union_of_topics;
};

TEST_F(FanoutTest, EqualSetsShareAClass) {
  make(OnFull::drop);
  for (int i = 0; i < 100; ++i) {
    Reader& reader = join();
    fanout->subscribe(reader, as_bytes(i % 2 == 0 ? "a" : "b"));
    fanout->subscribe(reader, as_bytes(i % 2 == 0 ? "b" : "a"));
    fanout->settle(reader);
  }
  fanout->tidy(core::k_never - 1, core::k_never);
  EXPECT_EQ(fanout->classes(), 1U);
  EXPECT_EQ(fanout->topics(), 2U);
  EXPECT_EQ(readers[0]->group, readers[99]->group);
  offer({"a1"});
  flush();
  for (auto& reader : readers) EXPECT_EQ(reader->got, wire({"a1"}));
}

TEST_F(FanoutTest, VeryLargeSetsKeepAClassEach) {
  make(OnFull::drop);
  for (int i = 0; i < 2; ++i) {
    Reader& reader = join();
    for (int t = 0; t < 20'000; ++t) fanout->subscribe(reader, as_bytes("t" + std::to_string(t)));
  }
  fanout->tidy(core::k_never - 1, core::k_never);
  EXPECT_EQ(fanout->classes(), 2U);
  offer({"t19999"});
  flush();
  for (auto& reader : readers) EXPECT_EQ(reader->got, wire({"t19999"}));
}

TEST_F(FanoutTest, OverlappingTopicsDeliverOnce) {
  make(OnFull::drop);
  Reader& reader = join();
  for (const auto* topic : {"", "a", "ab", "a"}) fanout->subscribe(reader, as_bytes(topic));
  offer({"abc"});
  flush();
  EXPECT_EQ(reader.got, wire({"abc"}));
}

TEST_F(FanoutTest, AMillionMessagesNeedTheSameFewSegments) {
  make(OnFull::drop);
  Reader& reader = join();
  fanout->subscribe(reader, {});
  const std::string body(100, 'x');
  std::size_t after_first = 0;
  for (int burst = 0; burst < 50; ++burst) {
    for (int i = 0; i < 1'000; ++i) offer({body});
    flush();
    reader.got.clear();
    if (burst == 0) after_first = fanout->store().segment_bytes();
  }
  EXPECT_EQ(fanout->store().segment_bytes(), after_first);
  EXPECT_LE(after_first, 2 * Store::k_segment);
  EXPECT_EQ(fanout->store().live_chunks(), 0U);
}

TEST_F(FanoutTest, AStuckSubscriberOfARareTopicKeepsLittleAlive) {
  make(OnFull::drop, 10'000);
  Reader& stuck = join();
  fanout->subscribe(stuck, as_bytes("rare"));
  Reader& busy = join();
  fanout->subscribe(busy, as_bytes("often"));
  offer({"rare"});
  write(stuck, 3);
  stuck.blocked = true;
  const std::string body(100, 'x');
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 300; ++i) offer({"often", body});
    offer({"rare", body});
    flush();
    busy.got.clear();
  }
  EXPECT_LE(fanout->store().segment_bytes(), 8 * Store::k_segment);
  write_all(stuck);
  std::string wanted = wire({"rare"});
  for (int round = 0; round < 200; ++round) wanted += wire({"rare", body});
  EXPECT_EQ(stuck.got, wanted);
}

TEST_F(FanoutTest, CompactingMakesSmallWhatAStuckSubscriberKeepsAlive) {
  make(OnFull::drop);
  Reader& busy = join();
  fanout->subscribe(busy, as_bytes("often"));
  const std::string body(1'000, 'x');
  for (int i = 0; i < 100; ++i) {
    Reader& stuck = join();
    const std::string topic = "own" + std::to_string(i) + ".";
    fanout->subscribe(stuck, as_bytes(topic));
    offer({topic, "a"});
    for (int n = 0; n < 300; ++n) offer({"often", body});
    offer({topic, "b"});
    write(stuck, 3);
    stuck.blocked = true;
    fanout->make_unready(stuck);
    flush();
    busy.got.clear();
  }
  for (auto& reader : readers) Fanout::compact(*reader);
  EXPECT_LE(fanout->store().segment_bytes(), 20 * Store::k_segment);
  for (std::size_t i = 1; i < readers.size(); ++i) {
    const std::string topic = "own" + std::to_string(i - 1) + ".";
    offer({topic, "c"});
    write_all(*readers[i]);
    EXPECT_EQ(readers[i]->got, wire({topic, "a"}) + wire({topic, "b"}) + wire({topic, "c"}));
  }
}

TEST_F(FanoutTest, TopicsAreLimited) {
  make(OnFull::drop, 10, 10, 2);
  Reader& one = join();
  Reader& two = join();
  EXPECT_EQ(fanout->subscribe(one, as_bytes("a")), Fanout::Subscribed::done);
  EXPECT_EQ(fanout->subscribe(one, as_bytes("b")), Fanout::Subscribed::done);
  EXPECT_EQ(fanout->subscribe(one, as_bytes("c")), Fanout::Subscribed::refused);
  EXPECT_EQ(fanout->subscribe(two, as_bytes("a")), Fanout::Subscribed::done);
  EXPECT_EQ(fanout->subscribe(two, as_bytes("ab")), Fanout::Subscribed::refused);
  fanout->cancel(one, as_bytes("b"));
  EXPECT_EQ(fanout->subscribe(one, as_bytes("c")), Fanout::Subscribed::done);
}

TEST_F(FanoutTest, BlockTakesNothingUntilThereIsRoom) {
  make(OnFull::block, 3);
  Reader& slow = join();
  Reader& fast = join();
  fanout->subscribe(slow, as_bytes(""));
  fanout->subscribe(fast, as_bytes("m"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(offer({"m"}), Fanout::Offered::taken);
    write_all(fast);
  }
  EXPECT_EQ(offer({"m"}), Fanout::Offered::full);
  EXPECT_EQ(fanout->blocker(), &slow);
  EXPECT_FALSE(fanout->room());
  EXPECT_FALSE(Fanout::has_data(fast));
  write(slow, 3);
  EXPECT_TRUE(fanout->room());
  EXPECT_EQ(offer({"m"}), Fanout::Offered::taken);
  EXPECT_EQ(offer({"m"}), Fanout::Offered::full);
  fanout->leave(slow);
  slow.gone = true;
  EXPECT_TRUE(fanout->room());
  EXPECT_EQ(offer({"m"}), Fanout::Offered::taken);
}

TEST_F(FanoutTest, DisconnectLetsGo) {
  make(OnFull::disconnect, 2);
  Reader& slow = join();
  Reader& fast = join();
  fanout->subscribe(slow, as_bytes(""));
  fanout->settle(slow);
  fanout->subscribe(fast, as_bytes(""));
  fanout->settle(fast);
  EXPECT_EQ(slow.group, fast.group);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(offer({"m"}), Fanout::Offered::taken);
    write_all(fast);
  }
  EXPECT_TRUE(slow.gone);
  EXPECT_EQ(fast.delivered, 5U);
}

/// Everything at once against the model: subscriptions come and go, queues fill, readers take odd
/// numbers of bytes, leave, and every byte and every count must be as the model says.
class FanoutModel : public FanoutTest, public testing::WithParamInterface<unsigned> {
 protected:
  static Parts random_message(std::mt19937& random) {
    Parts parts;
    const std::size_t count = 1 + random() % 3;
    for (std::size_t i = 0; i < count; ++i) {
      static constexpr std::size_t k_sizes[]{0, 1, 5, 100, 300, 4095, 4096, 9000};
      std::string part(k_sizes[random() % (random() % 10 == 0 ? 8 : 5)], 'p');
      if (i == 0) part.insert(0, random_topic(random));
      parts.push_back(part);
    }
    return parts;
  }
  static std::string random_topic(std::mt19937& random) {
    std::string topic(random() % 4, 'a');
    for (auto& c : topic) c = static_cast<char>('a' + random() % 3);
    return topic;
  }
  void model_offer(const Parts& parts) {
    const std::string bytes = wire(parts);
    std::vector<Reader*> interested;
    for (auto& reader : readers) {
      if (reader->gone) continue;
      for (std::size_t n = 0; n <= parts[0].size(); ++n) {
        if (!reader->topics.contains(parts[0].substr(0, n))) continue;
        interested.push_back(reader.get());
        break;
      }
    }
    ASSERT_EQ(offer(parts), Fanout::Offered::taken);
    for (Reader* reader : interested) {
      if (reader->falling) {
        ++reader->missed;
        continue;
      }
      reader->wanted += bytes;
      reader->boundaries.push_back(reader->wanted.size());
      ++reader->accepted;
    }
  }
};

TEST_P(FanoutModel, EveryByteAndEveryCount) {
  std::mt19937 random{GetParam()};
  make(OnFull::drop, GetParam() % 2 == 0 ? 5 : 200);
  relief = GetParam() % 3 * 400;
  for (int i = 0; i < 12; ++i) join();
  for (int step = 0; step < 6'000; ++step) {
    Reader& reader = *readers[random() % readers.size()];
    const auto what = random() % 100;
    if (reader.gone) {
      fanout->join(reader);
      reader.got.clear();
      reader.wanted.clear();
      reader.boundaries.clear();
      reader.topics.clear();
      reader.delivered = reader.dropped = reader.accepted = reader.missed = 0;
      reader.falling = reader.gone = false;
    } else if (what < 12) {
      const std::string topic = random_topic(random);
      fanout->subscribe(reader, as_bytes(topic));
      reader.topics.insert(topic);
    } else if (what < 22) {
      const std::string topic = random_topic(random);
      fanout->cancel(reader, as_bytes(topic));
      reader.topics.erase(topic);
    } else if (what < 32) {
      fanout->settle(reader);
    } else if (what < 34) {
      fanout->tidy(core::now() + core::k_second, core::k_never);
    } else if (what < 60) {
      model_offer(random_message(random));
    } else if (what < 61) {
      fanout->leave(reader);
      reader.gone = true;
      reader.blocked = false;
    } else if (what < 70) {
      for (int n = 0; n < 3; ++n) {
        Stream* stream = fanout->next_ready();
        if (stream == nullptr) break;
        write(static_cast<Reader&>(*stream), 50);
        if (Fanout::has_data(*stream)) fanout->make_ready(*stream);
      }
    } else if (what < 73) {
      Fanout::compact(reader);
    } else {
      fanout->make_unready(reader);
      write(reader, 1 + random() % 2'000);
      reader.blocked = Fanout::has_data(reader) && random() % 4 == 0;
      if (Fanout::has_data(reader)) fanout->make_ready(reader);
    }
    for (auto& each : readers) {
      if (each->gone) continue;
      if (each->falling && each->place == Stream::Place::caught_up) each->falling = false;
      ASSERT_TRUE(each->wanted.starts_with(each->got)) << step;
      ASSERT_EQ(each->group->dropped(*each), each->missed) << step;
      ASSERT_EQ(each->group->queued_messages(*each), each->queued()) << step;
      ASSERT_EQ(each->group->queued_bytes(*each), each->wanted.size() - each->got.size()) << step;
      ASSERT_EQ(each->delivered + each->cursor.done - each->cursor.counted + each->queued(),
                each->accepted)
          << step;
      ASSERT_EQ(each->group->topics.size(), each->topics.size()) << step;
    }
  }
  // Whoever is not blocked is found by a pass; the others are when their sockets say so.
  flush();
  for (auto& reader : readers) {
    if (reader->gone) continue;
    if (reader->blocked) write_all(*reader);
    EXPECT_EQ(reader->got, reader->wanted);
    EXPECT_EQ(reader->delivered, reader->accepted);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FanoutModel, testing::Range(1U, 13U));

}  // namespace
