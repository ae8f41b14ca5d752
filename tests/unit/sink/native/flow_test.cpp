// SPDX-License-Identifier: Apache-2.0
// The native engine's flow control: what a slow, stalled or dead subscriber costs, and whom.
#include "engine_host.hpp"
#include "raw_client.hpp"
#include "support/deadline.hpp"
#include "support/scratch.hpp"
#include "zmq_client.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace sluice;
using namespace sluice::test;
using std::string_literals::operator""s;

constexpr std::size_t k_size = 1000;

SinkOptions options(OnFull policy) {
  SinkOptions made;
  made.name = "edge";
  made.bind = {"tcp://127.0.0.1:*"};
  made.on_full = policy;
  made.send_hwm = 100;
  made.link.sndbuf = 16 << 10;
  return made;
}

Parts numbered(std::size_t i) {
  std::string text = std::to_string(i);
  text.resize(k_size, '.');
  return {"m", text};
}

PeerStatus row_of(EngineHost& host, std::uint64_t subscriptions) {
  const auto table = host.status().peer_table.value();
  for (const auto& row : table) {
    if (row.subscriptions == subscriptions) return row;
  }
  return {};
}

/// A subscriber that reads only when told; its window is small. "m" and "z": told apart by that.
class Slow : public RawClient {
 public:
  explicit Slow(EngineHost& host) : RawClient(host.endpoint(), 16 << 10) {
    shake_hands();
    subscribe("m");
    subscribe("z");
  }
  /// The numbers of all messages up to the marker "z".
  std::vector<std::size_t> numbers() {
    std::vector<std::size_t> found;
    for (;;) {
      const auto first = frame();
      if (!first) return found;
      if ((first->flags & 4) != 0) continue;
      if (first->body == "z") return found;
      EXPECT_EQ(first->flags, 1);
      const auto second = frame();
      if (!second) return found;
      EXPECT_EQ(second->body.size(), k_size);
      found.push_back(std::stoul(second->body));
    }
  }
};

TEST(FlowDrop, KeepsWhatIsQueuedDropsTheNewestAndCountsExactly) {
  EngineHost host{options(OnFull::drop)};
  Slow slow{host};
  ZmqClient fast;
  fast.connect(host.endpoint());
  fast.subscribe("m");
  ASSERT_TRUE(host.subscriptions(2));
  ASSERT_TRUE(host.peers(2));
  ASSERT_TRUE(eventually([&] { return row_of(host, 1).subscriptions == 1; }));
  constexpr std::size_t k_count = 3'000;
  for (std::size_t done = 0; done < k_count; done += 50) {
    host.publish_many(50, [done](std::size_t i) { return numbered(done + i); });
    for (std::size_t i = 0; i < 50; ++i) {
      const auto got = fast.receive();
      ASSERT_TRUE(got);
      ASSERT_EQ(*got, numbered(done + i));
    }
  }
  const auto row = row_of(host, 2);
  EXPECT_GT(row.dropped_messages, 0U);
  EXPECT_LE(row.queued_messages, 100U);
  EXPECT_GT(row.queued_messages, 0U);
  EXPECT_GT(row.queue_age_us, 0U);
  EXPECT_EQ(row.queued_messages + row.dropped_messages + row.delivered_messages, k_count);
  const auto status = host.status();
  EXPECT_EQ(status.dropped_messages, row.dropped_messages);

  // It reads again: a gapless beginning, then fresh messages.
  host.publish({"z"});
  ASSERT_TRUE(eventually([&] { return host.waiting() == 0; }));
  std::vector<std::size_t> got;
  for (std::size_t i = 0; i < row.queued_messages + row.delivered_messages; ++i) {
    const auto first = slow.frame();
    const auto second = slow.frame();
    ASSERT_TRUE(first && second);
    got.push_back(std::stoul(second->body));
  }
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], i);
  // The queue is empty now, so the next ones arrive.
  ASSERT_TRUE(eventually([&] { return row_of(host, 2).queued_messages == 0; }));
  host.publish(numbered(k_count));
  host.publish({"z"});
  EXPECT_EQ(slow.numbers(), std::vector<std::size_t>{k_count});
  const auto after = row_of(host, 2);
  EXPECT_EQ(after.delivered_messages, got.size() + 2);
  EXPECT_EQ(after.dropped_messages, k_count + 1 - got.size());

  const auto events = host.events();
  EXPECT_EQ(std::count_if(events.begin(), events.end(),
                          [](const auto& e) { return e.find("too slow") != std::string::npos; }),
            1);
}

TEST(FlowDrop, RecoversAgainAndAgain) {
  EngineHost host{options(OnFull::drop)};
  Slow slow{host};
  ASSERT_TRUE(host.subscriptions(2));
  std::size_t seen = 0;
  constexpr std::size_t k_burst = 400;
  for (std::size_t round = 0; round < 20; ++round) {
    host.publish_many(k_burst, [&](std::size_t i) { return numbered(round * k_burst + i); });
    ASSERT_TRUE(eventually([&] { return host.waiting() == 0; }));
    const auto row = row_of(host, 2);
    const std::size_t expected = row.delivered_messages + row.queued_messages - seen;
    std::size_t last = 0;
    for (std::size_t i = 0; i < expected; ++i) {
      const auto first = slow.frame();
      const auto second = slow.frame();
      ASSERT_TRUE(first && second);
      const std::size_t number = std::stoul(second->body);
      if (i == 0) {
        ASSERT_GE(number, round * k_burst);
      } else {
        ASSERT_GT(number, last);
      }
      last = number;
    }
    seen += expected;
    ASSERT_TRUE(eventually([&] { return row_of(host, 2).queued_messages == 0; }));
  }
  const auto row = row_of(host, 2);
  EXPECT_EQ(row.delivered_messages, seen);
  EXPECT_EQ(row.delivered_messages + row.dropped_messages, 20 * k_burst);
}

TEST(FlowDrop, ByteLimitCounts) {
  auto settings = options(OnFull::drop);
  settings.send_hwm = 0;
  settings.send_hwm_bytes = 50'000;
  EngineHost host{settings};
  Slow slow{host};
  ASSERT_TRUE(host.subscriptions(2));
  std::size_t published = 0;
  EXPECT_TRUE(eventually([&] {  // again where the kernel has taken more meanwhile
    host.publish_many(1'000, numbered);
    published += 1'000;
    return eventually([&] { return host.waiting() == 0; }) &&
           row_of(host, 2).queued_bytes > 40'000U;
  }));
  const auto row = row_of(host, 2);
  EXPECT_LE(row.queued_bytes, 50'000U);
  EXPECT_GT(row.dropped_messages, 0U);
  EXPECT_EQ(row.queued_messages + row.dropped_messages + row.delivered_messages, published);
}

TEST(FlowDrop, OneMessageOverTheByteLimitFitsAnEmptyQueue) {
  auto settings = options(OnFull::drop);
  settings.send_hwm_bytes = 1'000;
  EngineHost host{settings};
  ZmqClient sub;
  sub.connect(host.endpoint());
  sub.subscribe("");
  ASSERT_TRUE(host.subscriptions(1));
  for (int i = 0; i < 3; ++i) {
    host.publish({std::string(1 << 20, 'x')});
    const auto got = sub.receive();
    ASSERT_TRUE(got);
    EXPECT_EQ(got->front().size(), 1U << 20);
  }
}

TEST(FlowDrop, AStalledPeerIsCutByHeartbeats) {
  auto settings = options(OnFull::drop);
  settings.link.heartbeat_interval = std::chrono::milliseconds{50};
  settings.link.heartbeat_timeout = std::chrono::milliseconds{300};
  EngineHost host{settings};
  Slow slow{host};
  ASSERT_TRUE(host.subscriptions(2));
  host.publish_many(1'000, numbered);
  EXPECT_TRUE(host.peers(0));
  EXPECT_TRUE(host.subscriptions(0));
  EXPECT_TRUE(eventually([&] { return host.waiting() == 0; }));
}

TEST(FlowBlock, NothingIsLostAndTheSourceWaits) {
  EngineHost host{options(OnFull::block)};
  Slow slow{host};
  ZmqClient fast;
  fast.connect(host.endpoint());
  fast.subscribe("m");
  ASSERT_TRUE(host.subscriptions(2));
  ASSERT_TRUE(eventually([&] { return row_of(host, 1).subscriptions == 1; }));
  constexpr std::size_t k_count = 5'000;
  host.publish_many(k_count, numbered);
  host.publish({"z"});
  ASSERT_TRUE(eventually([&] { return row_of(host, 2).queued_messages == 100; }));
  EXPECT_GT(host.waiting(), 0U);
  const auto numbers = slow.numbers();
  ASSERT_EQ(numbers.size(), k_count);
  for (std::size_t i = 0; i < k_count; ++i) {
    ASSERT_EQ(numbers[i], i);
    ASSERT_EQ(fast.receive(), numbered(i));
  }
  EXPECT_EQ(host.status().dropped_messages, 0U);
  EXPECT_EQ(host.waiting(), 0U);
}

TEST(FlowBlock, WaitingCostsNoCpu) {
  EngineHost host{options(OnFull::block)};
  Slow slow{host};
  ASSERT_TRUE(host.subscriptions(2));
  host.publish_many(5'000, numbered);
  ASSERT_TRUE(eventually([&] { return row_of(host, 2).queued_messages == 100; }));
  const auto cpu = host.cpu();
  EXPECT_FALSE(eventually([] { return false; }, std::chrono::milliseconds{500}));
  EXPECT_LT(host.cpu() - cpu, std::chrono::milliseconds{50});
}

TEST(FlowBlock, AKilledPeerLetsTheOthersGoOn) {
  EngineHost host{options(OnFull::block)};
  auto slow = std::make_unique<Slow>(host);
  ZmqClient fast;
  fast.connect(host.endpoint());
  fast.subscribe("m");
  ASSERT_TRUE(host.subscriptions(2));
  ASSERT_TRUE(eventually([&] { return row_of(host, 1).subscriptions == 1; }));
  host.publish_many(5'000, numbered);
  ASSERT_TRUE(eventually([&] { return row_of(host, 2).queued_messages == 100; }));
  slow.reset();
  for (std::size_t i = 0; i < 5'000; ++i) ASSERT_EQ(fast.receive(), numbered(i));
  EXPECT_TRUE(host.peers(1));
}

TEST(FlowBlock, BlockTimeoutCutsTheHolder) {
  auto settings = options(OnFull::block);
  settings.block_timeout = std::chrono::milliseconds{200};
  EngineHost host{settings};
  Slow slow{host};
  ZmqClient fast;
  fast.connect(host.endpoint());
  fast.subscribe("m");
  ASSERT_TRUE(host.subscriptions(2));
  ASSERT_TRUE(eventually([&] { return row_of(host, 1).subscriptions == 1; }));
  host.publish_many(2'000, numbered);
  for (std::size_t i = 0; i < 2'000; ++i) ASSERT_EQ(fast.receive(), numbered(i));
  EXPECT_TRUE(host.peers(1));
  const auto events = host.events();
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), [](const auto& e) {
    return e.find("block_timeout") != std::string::npos;
  }));
}

TEST(FlowBlock, ASilentReaderIsNotCut) {
  auto settings = options(OnFull::block);
  settings.link.tcp_user_timeout = std::chrono::milliseconds{500};
  settings.link.heartbeat_interval = std::chrono::milliseconds{100};
  settings.link.heartbeat_timeout = std::chrono::milliseconds{300};
  EngineHost host{settings};
  Slow slow{host};
  ASSERT_TRUE(host.subscriptions(2));
  host.publish_many(500, numbered);
  host.publish({"z"});
  ASSERT_TRUE(eventually([&] { return row_of(host, 2).queued_messages == 100; }));
  EXPECT_FALSE(
      eventually([&] { return host.status().peers != 1; }, std::chrono::milliseconds{3'000}));
  EXPECT_EQ(slow.numbers().size(), 500U);
}

TEST(FlowBlock, AMessageInHandAtTheEndStillReachesEverybody) {
  EngineHost host{options(OnFull::block)};
  Slow slow{host};
  ZmqClient fast;
  fast.connect(host.endpoint());
  fast.subscribe("m");
  ASSERT_TRUE(host.subscriptions(2));
  ASSERT_TRUE(eventually([&] { return row_of(host, 1).subscriptions == 1; }));
  constexpr std::size_t k_count = 1'000;
  host.publish_many(k_count, numbered);
  host.publish({"z"});
  ASSERT_TRUE(eventually([&] { return row_of(host, 2).queued_messages == 100; }));
  ASSERT_GT(host.waiting(), 0U);
  host.call([](sink::Sink& sink) { sink.begin_close(); });
  const auto numbers = slow.numbers();
  ASSERT_EQ(numbers.size(), k_count);
  for (std::size_t i = 0; i < k_count; ++i) ASSERT_EQ(fast.receive(), numbered(i));
  slow.disconnect();
  EXPECT_TRUE(eventually([&] {
    bool closed = false;
    host.call([&](sink::Sink& sink) { closed = sink.closed(); });
    return closed;
  }));
}

TEST(FlowDisconnect, TheSlowOneIsCut) {
  EngineHost host{options(OnFull::disconnect)};
  Slow slow{host};
  ZmqClient fast;
  fast.connect(host.endpoint());
  fast.subscribe("m");
  ASSERT_TRUE(host.subscriptions(2));
  ASSERT_TRUE(eventually([&] { return row_of(host, 1).subscriptions == 1; }));
  for (std::size_t done = 0; done < 2'000; done += 50) {
    host.publish_many(50, [done](std::size_t i) { return numbered(done + i); });
    for (std::size_t i = 0; i < 50; ++i) ASSERT_EQ(fast.receive(), numbered(done + i));
  }
  EXPECT_TRUE(host.peers(1));
  EXPECT_TRUE(host.subscriptions(1));
  EXPECT_EQ(host.status().dropped_messages, 0U);
  EXPECT_TRUE(slow.closed());
}

TEST(FlowPolicy, LiveChangeBetweenDropAndDisconnectOnly) {
  EngineHost host{options(OnFull::drop)};
  host.call([](sink::Sink& sink) {
    EXPECT_TRUE(sink.set_on_full(OnFull::disconnect));
    EXPECT_FALSE(sink.set_on_full(OnFull::block));
    EXPECT_TRUE(sink.set_on_full(OnFull::drop));
  });
  EngineHost block{options(OnFull::block)};
  block.call([](sink::Sink& sink) {
    EXPECT_FALSE(sink.set_on_full(OnFull::drop));
    EXPECT_TRUE(sink.set_on_full(OnFull::block));
  });
}

TEST(FlowOrder, ASubscriptionChangeWithAQueueKeepsTheOrder) {
  auto settings = options(OnFull::drop);
  settings.send_hwm = 0;
  EngineHost host{settings};
  Slow slow{host};
  Slow same{host};
  ASSERT_TRUE(host.peers(2));
  ASSERT_TRUE(eventually([&] { return host.upstream().size() == 2; }));
  ASSERT_TRUE(eventually([&] {
    const auto rows = host.status().peer_table.value();
    return rows.size() == 2 && rows[0].subscriptions == 2 && rows[1].subscriptions == 2;
  }));
  host.publish_many(1'000, numbered);
  ASSERT_TRUE(eventually([&] { return host.waiting() == 0; }));
  slow.subscribe("y");
  ASSERT_TRUE(host.subscriptions(3));
  host.publish_many(1'000, [](std::size_t i) { return numbered(1'000 + i); });
  ASSERT_TRUE(eventually([&] { return host.waiting() == 0; }));
  slow.send(wire_frame(0, "\0y"s));
  ASSERT_TRUE(host.subscriptions(2));
  host.publish_many(1'000, [](std::size_t i) { return numbered(2'000 + i); });
  host.publish({"z"});
  for (Slow* reader : {&slow, &same}) {
    const auto numbers = reader->numbers();
    ASSERT_EQ(numbers.size(), 3'000U);
    for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], i);
  }
}

TEST(FlowPing, APongWaitsForTheEndOfAMessageOnly) {
  auto settings = options(OnFull::drop);
  settings.send_hwm = 0;
  EngineHost host{settings};
  Slow slow{host};
  ASSERT_TRUE(host.subscriptions(2));
  host.publish({"m", std::string(300'000, 'b')});
  host.publish_many(2'000, [](std::size_t) { return Parts{"m", "1", "2", "3"}; });
  ASSERT_TRUE(eventually([&] { return host.waiting() == 0; }));
  for (int i = 0; i < 100; ++i) slow.send(wire_command("PING", "\0\0c"s + std::to_string(i)));
  host.publish({"z"});
  bool inside = false;
  std::size_t pongs = 0;
  std::string last;
  for (;;) {
    const auto frame = slow.frame();
    ASSERT_TRUE(frame);
    if ((frame->flags & 4) != 0) {
      EXPECT_FALSE(inside);
      ++pongs;
      last = frame->body;
      continue;
    }
    inside = (frame->flags & 1) != 0;
    if (frame->body == "z") break;
  }
  if (last != "\4PONGc99") {
    const auto frame = slow.frame();
    ASSERT_TRUE(frame);
    last = frame->body;
  }
  EXPECT_EQ(last, "\4PONGc99");
  EXPECT_LE(pongs, 100U);
}

}  // namespace
