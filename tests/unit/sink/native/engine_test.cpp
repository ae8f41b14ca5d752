// SPDX-License-Identifier: Apache-2.0
// The native engine with real libzmq subscribers.
#include "sink/native/engine.hpp"

#include "engine_host.hpp"
#include "raw_client.hpp"
#include "support/deadline.hpp"
#include "support/scratch.hpp"
#include "zmq_client.hpp"

#include <sluice/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace sluice;
using namespace sluice::test;
using std::string_literals::operator""s;

SinkOptions options(const std::string& endpoint = "tcp://127.0.0.1:*") {
  SinkOptions made;
  made.name = "edge";
  made.bind = {endpoint};
  return made;
}

class EngineTest : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] SinkOptions here() const {
    return options(GetParam() == "tcp"s ? "tcp://127.0.0.1:*" : scratch.ipc("s"));
  }
  ScratchDirectory scratch;
};

INSTANTIATE_TEST_SUITE_P(Transports, EngineTest, testing::Values("tcp", "ipc"),
                         [](const auto& each) { return std::string{each.param}; });

TEST_P(EngineTest, DeliversToSub) {
  EngineHost host{here()};
  ZmqClient sub;
  sub.connect(host.endpoint());
  sub.subscribe("a");
  ASSERT_TRUE(host.subscriptions(1));
  EXPECT_EQ(host.status().peers, 1U);
  EXPECT_EQ(host.upstream(), std::vector<std::string>{"\1a"});
  host.publish({"b1"});
  host.publish({"a1", "", "three"});
  host.publish({"a2"});
  EXPECT_EQ(sub.receive(), (Parts{"a1", "", "three"}));
  EXPECT_EQ(sub.receive(), Parts{"a2"});
  sub.unsubscribe("a");
  ASSERT_TRUE(host.subscriptions(0));
  EXPECT_TRUE(eventually([&] {
    return host.upstream() == std::vector<std::string>{"\1a", "\0a"s};
  }));
}

TEST_P(EngineTest, DeliversToXsubAndHearsIt) {
  EngineHost host{here()};
  ZmqClient xsub{ZMQ_XSUB};
  xsub.connect(host.endpoint());
  xsub.send("\1");
  ASSERT_TRUE(host.subscriptions(1));
  xsub.send("hello", ZMQ_SNDMORE);
  xsub.send("world");
  ASSERT_TRUE(eventually([&] { return host.upstream().size() == 2; }));
  EXPECT_EQ(host.upstream(), (std::vector<std::string>{"\1", "hello|world"}));
  host.publish({""});
  EXPECT_EQ(xsub.receive(), Parts{""});
}

TEST_P(EngineTest, SizesAroundEveryLimit) {
  EngineHost host{here()};
  ZmqClient sub;
  sub.connect(host.endpoint());
  sub.subscribe("");
  ASSERT_TRUE(host.subscriptions(1));
  const std::vector<std::size_t> sizes{0,     1,      33,     34,     254,     255,
                                       256,   257,    4095,   4096,   4097,    65535,
                                       65536, 262143, 262144, 300000, 1 << 20, 10 << 20};
  for (const auto size : sizes)
    host.publish({std::string(size, static_cast<char>('a' + size % 23))});
  for (const auto size : sizes) host.publish({"x", std::string(size, 'y'), "", "z"});
  for (const auto size : sizes) {
    const auto got = sub.receive();
    ASSERT_TRUE(got);
    EXPECT_TRUE(*got == Parts{std::string(size, static_cast<char>('a' + size % 23))}) << size;
  }
  for (const auto size : sizes) {
    const auto got = sub.receive();
    ASSERT_TRUE(got);
    EXPECT_TRUE((*got == Parts{"x", std::string(size, 'y'), "", "z"})) << size;
  }
}

TEST_P(EngineTest, AFloodComesWholeAndInOrder) {
  auto settings = here();
  settings.send_hwm = 0;
  EngineHost host{settings};
  std::vector<std::unique_ptr<ZmqClient>> subs;
  for (int i = 0; i < 5; ++i) {
    subs.push_back(std::make_unique<ZmqClient>());
    subs.back()->connect(host.endpoint());
    subs.back()->subscribe(i == 4 ? "m1" : "m");
  }
  ASSERT_TRUE(host.subscriptions(2));
  ASSERT_TRUE(host.peers(5));
  ASSERT_TRUE(eventually([&] {
    const auto status = host.status();
    return std::all_of(status.peer_table->begin(), status.peer_table->end(),
                       [](const auto& row) { return row.subscriptions == 1; });
  }));
  constexpr std::size_t k_count = 100'000;
  host.publish_many(k_count, [](std::size_t i) { return Parts{"m" + std::to_string(i)}; });
  for (std::size_t n = 0; n < subs.size(); ++n) {
    for (std::size_t i = 0; i < k_count; ++i) {
      const std::string wanted = "m" + std::to_string(i);
      if (n == 4 && !wanted.starts_with("m1")) continue;
      const auto got = subs[n]->receive();
      ASSERT_TRUE(got) << n << " " << i;
      ASSERT_EQ(*got, Parts{wanted});
    }
  }
  const auto status = host.status();
  EXPECT_EQ(status.dropped_messages, 0U);
  EXPECT_EQ(status.delivered_messages, 4 * k_count + 11'111);
}

TEST_P(EngineTest, RefCountsTopicsOverPeers) {
  EngineHost host{here()};
  auto first = std::make_unique<ZmqClient>();
  ZmqClient second;
  first->connect(host.endpoint());
  second.connect(host.endpoint());
  first->subscribe("t");
  first->subscribe("t");
  second.subscribe("t");
  second.subscribe("u");
  ASSERT_TRUE(eventually([&] {  // libzmq's SUB sends a topic once however often it was set
    const auto rows = host.status().peer_table.value();
    return rows.size() == 2 && rows[0].subscriptions + rows[1].subscriptions == 3;
  }));
  first->unsubscribe("t");
  host.publish({"t1"});
  EXPECT_EQ(first->receive(), Parts{"t1"});
  EXPECT_EQ(second.receive(), Parts{"t1"});
  second.unsubscribe("t");
  ASSERT_TRUE(eventually([&] {
    const auto rows = host.status().peer_table.value();
    return rows.size() == 2 && rows[0].subscriptions + rows[1].subscriptions == 2;
  }));
  EXPECT_EQ(host.status().subscriptions, 2U);
  first.reset();
  ASSERT_TRUE(host.subscriptions(1));
  EXPECT_TRUE(eventually([&] { return host.upstream().size() == 3; }));
  EXPECT_EQ(host.upstream().back(), "\0t"s);
}

TEST_P(EngineTest, BinaryTopics) {
  EngineHost host{here()};
  ZmqClient sub;
  sub.connect(host.endpoint());
  const std::vector<std::string> topics{"\0"s, "\0\1"s, "\1", "\xFF\0\xFF"s};
  for (const auto& topic : topics) sub.subscribe(topic);
  ASSERT_TRUE(host.subscriptions(4));
  for (const auto& topic : topics) {
    host.publish({topic + "!"});
    EXPECT_EQ(sub.receive(), Parts{topic + "!"});
  }
  host.publish({"\xFF\1"s});
  for (const auto& topic : topics) sub.unsubscribe(topic);
  ASSERT_TRUE(host.subscriptions(0));
}

TEST_P(EngineTest, LibzmqHeartbeatsKeepALinkAlive) {
  EngineHost host{here()};
  ZmqClient sub;
  sub.set(ZMQ_HEARTBEAT_IVL, 30);
  sub.set(ZMQ_HEARTBEAT_TIMEOUT, 500);
  sub.set(ZMQ_HEARTBEAT_TTL, 500);
  sub.connect(host.endpoint());
  sub.subscribe("");
  ASSERT_TRUE(host.subscriptions(1));
  // Were a PING unanswered, the link would be cut and made anew: a second subscribe.
  const Deadline end{std::chrono::milliseconds{1500}};
  std::size_t sent = 0;
  while (!end.passed()) {
    host.publish({std::to_string(sent)});
    const auto got = sub.receive();
    ASSERT_TRUE(got);
    ASSERT_EQ(*got, Parts{std::to_string(sent++)});
    static_cast<void>(eventually([] { return false; }, std::chrono::milliseconds{20}));
  }
  EXPECT_EQ(host.upstream(), std::vector<std::string>{"\1"});
}

TEST_P(EngineTest, OurHeartbeatsAreAnsweredByLibzmq) {
  auto settings = here();
  settings.link.heartbeat_interval = std::chrono::milliseconds{50};
  settings.link.heartbeat_timeout = std::chrono::milliseconds{1000};
  EngineHost host{settings};
  ZmqClient sub;
  sub.connect(host.endpoint());
  sub.subscribe("");
  ASSERT_TRUE(host.subscriptions(1));
  EXPECT_FALSE(
      eventually([&] { return host.status().peers != 1; }, std::chrono::milliseconds{2500}));
  EXPECT_EQ(host.upstream(), std::vector<std::string>{"\1"});
}

TEST_P(EngineTest, ReconnectsAfterARestart) {
  ZmqClient sub;
  sub.subscribe("x");
  std::string endpoint;
  {
    EngineHost host{here()};
    endpoint = host.endpoint();
    sub.connect(endpoint);
    ASSERT_TRUE(host.subscriptions(1));
  }
  EngineHost again{options(endpoint)};
  // libzmq's SUB sends its subscriptions again when its application next calls it.
  ASSERT_TRUE(eventually([&] {
    EXPECT_FALSE(sub.receive(ZMQ_DONTWAIT));
    return again.status().subscriptions == 1;
  }));
  again.publish({"x"});
  EXPECT_EQ(sub.receive(), Parts{"x"});
}

TEST_P(EngineTest, SubscriptionStorm) {
  EngineHost host{here()};
  constexpr std::size_t k_topics = 5'000;
  std::vector<std::unique_ptr<ZmqClient>> subs;
  for (int i = 0; i < 4; ++i) {
    subs.push_back(std::make_unique<ZmqClient>());
    subs.back()->set(ZMQ_SNDHWM, 0);
    subs.back()->connect(host.endpoint());
    for (std::size_t t = 0; t < k_topics; ++t) subs.back()->subscribe("topic-" + std::to_string(t));
  }
  ASSERT_TRUE(host.subscriptions(k_topics));
  ASSERT_TRUE(eventually([&] {
    const auto rows = host.status().peer_table.value();
    return rows.size() == 4 && std::all_of(rows.begin(), rows.end(), [](const auto& row) {
             return row.subscriptions == k_topics;
           });
  }));
  EXPECT_EQ(host.upstream().size(), k_topics);
  host.publish({"topic-4999!"});
  for (auto& sub : subs) EXPECT_EQ(sub->receive(), Parts{"topic-4999!"});
  subs.clear();
  ASSERT_TRUE(host.subscriptions(0));
  EXPECT_TRUE(eventually([&] { return host.upstream().size() == 2 * k_topics; }));
  host.publish({"topic-1"});
}

TEST_P(EngineTest, StopsOnceAllIsDelivered) {
  auto settings = here();
  settings.send_hwm = 0;
  EngineHost host{settings};
  ZmqClient sub;
  sub.connect(host.endpoint());
  sub.subscribe("");
  ASSERT_TRUE(host.subscriptions(1));
  constexpr std::size_t k_count = 50'000;
  host.publish_many(k_count, [](std::size_t i) { return Parts{std::to_string(i), "payload"}; });
  ASSERT_TRUE(eventually([&] { return host.waiting() == 0; }));
  host.call([](sink::Sink& sink) { sink.begin_close(); });
  EXPECT_TRUE(eventually([&] {
    bool closed = false;
    host.call([&](sink::Sink& sink) { closed = sink.closed(); });
    return closed;
  }));
  for (std::size_t i = 0; i < k_count; ++i) {
    const auto got = sub.receive();
    ASSERT_TRUE(got) << i;
    ASSERT_EQ(got->front(), std::to_string(i));
  }
}

}  // namespace
