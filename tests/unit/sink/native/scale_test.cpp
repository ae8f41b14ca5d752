// SPDX-License-Identifier: Apache-2.0
// The native engine with many subscribers and with very large messages.
#include "engine_host.hpp"
#include "raw_client.hpp"
#include "support/deadline.hpp"
#include "support/scratch.hpp"
#include "zmq_client.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <malloc.h>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace {

using namespace sluice;
using namespace sluice::test;

SinkOptions options() {
  SinkOptions made;
  made.name = "edge";
  made.bind = {"tcp://127.0.0.1:*"};
  return made;
}

std::size_t heap() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

class ScaleTest : public testing::Test {
 protected:
  static constexpr std::size_t k_peers = 1'000;

  void SetUp() override {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 8192);
    ASSERT_GE(limit.rlim_cur, 2 * k_peers + 100);
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  /// Connects, and returns the heap that one peer takes.
  std::size_t connect(EngineHost& host, bool own_topic) {
    const std::string hello = wire_greeting() + wire_ready("SUB");
    const std::string endpoint = host.endpoint();
    clients.reserve(k_peers);
    static_cast<void>(host.status());
    const std::size_t before = heap();
    for (std::size_t i = 0; i < k_peers; ++i) {
      clients.push_back(std::make_unique<RawClient>(endpoint));
      clients.back()->send(hello);
      clients.back()->subscribe(own_topic ? "own-topic-" + std::to_string(i) : "all");
    }
    EXPECT_TRUE(host.peers(k_peers));
    EXPECT_TRUE(host.subscriptions(own_topic ? k_peers : 1));
    return (heap() - before) / k_peers;
  }

  std::vector<std::unique_ptr<RawClient>> clients;
};

TEST_F(ScaleTest, AnIdleSubscriberTakesLittleMemory) {
  EngineHost host{options()};
  const std::size_t each = connect(host, false);
  RecordProperty("bytes_per_idle_subscriber", static_cast<int>(each));
  EXPECT_LE(each, 8U << 10);
}

TEST_F(ScaleTest, ASubscriberWithATopicOfItsOwnTakesLittleMoreMemory) {
  EngineHost host{options()};
  const std::size_t each = connect(host, true);
  RecordProperty("bytes_per_subscriber_with_a_topic", static_cast<int>(each));
  EXPECT_LE(each, 10U << 10);
  for (std::size_t i = 0; i < k_peers; i += 100) host.publish({"own-topic-" + std::to_string(i)});
  for (std::size_t i = 0; i < k_peers; i += 100) {
    static_cast<void>(clients[i]->read(64));  // greeting
    static_cast<void>(clients[i]->frame());   // READY
    const auto frame = clients[i]->frame();
    ASSERT_TRUE(frame);
    EXPECT_TRUE(frame->body.starts_with("own-topic-" + std::to_string(i)));
  }
}

TEST_F(ScaleTest, AThousandGetEveryMessage) {
  EngineHost host{options()};
  connect(host, false);
  host.publish_many(100, [](std::size_t i) { return Parts{"all", std::to_string(i)}; });
  for (auto& client : clients) {
    static_cast<void>(client->read(64));
    static_cast<void>(client->frame());
    for (std::size_t i = 0; i < 100; ++i) {
      ASSERT_EQ(client->frame()->body, "all");
      ASSERT_EQ(client->frame()->body, std::to_string(i));
    }
  }
  EXPECT_EQ(host.status().delivered_messages, 100 * k_peers);
  EXPECT_EQ(host.status().dropped_messages, 0U);
}

class LargeTest : public testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(Megabytes, LargeTest, testing::Values(1U, 64U, 1024U));

TEST_P(LargeTest, ArrivesWholeAtTwoSubscribers) {
  const std::size_t size = GetParam() << 20;
  ScratchDirectory scratch;
  auto settings = options();
  settings.bind.push_back(scratch.ipc("s"));
  settings.send_hwm_bytes = 0;
  EngineHost host{settings};
  ZmqClient over_tcp;
  ZmqClient over_ipc;
  for (ZmqClient* client : {&over_tcp, &over_ipc}) {
    client->set(ZMQ_RCVTIMEO, 60'000);
    client->connect(host.endpoint(client == &over_tcp ? 0 : 1));
    client->subscribe("");
  }
  ASSERT_TRUE(host.peers(2));
  ASSERT_TRUE(eventually([&] {
    const auto rows = host.status().peer_table.value();
    return std::all_of(rows.begin(), rows.end(),
                       [](const auto& r) { return r.subscriptions == 1; });
  }));
  core::Message message;
  zmq_msg_t* raw = message.next().raw();
  zmq_msg_close(raw);
  ASSERT_EQ(zmq_msg_init_size(raw, size), 0);
  auto* bytes = static_cast<unsigned char*>(zmq_msg_data(raw));
  for (std::size_t i = 0; i < size; i += 4096) bytes[i] = static_cast<unsigned char>(i >> 12U);
  bytes[size - 1] = 0xA5;
  message.push();
  host.call([&](sink::Sink& sink) {
    EXPECT_EQ(sink.offer(message, sink::Sink::Hand::give), sink::Offer::taken);
  });
  host.publish({"after"});
  for (ZmqClient* client : {&over_tcp, &over_ipc}) {
    zmq_msg_t got;
    zmq_msg_init(&got);
    ASSERT_GE(zmq_msg_recv(&got, client->socket(), 0), 0);
    ASSERT_EQ(zmq_msg_size(&got), size);
    const auto* there = static_cast<const unsigned char*>(zmq_msg_data(&got));
    for (std::size_t i = 0; i + 1 < size; i += 4096) {
      ASSERT_EQ(there[i], static_cast<unsigned char>(i >> 12U));
    }
    EXPECT_EQ(there[size - 1], 0xA5);
    zmq_msg_close(&got);
    EXPECT_EQ(client->receive(), Parts{"after"});
  }
}

}  // namespace
