// SPDX-License-Identifier: Apache-2.0
// UnionUpstream over real XSUB frontends: what a source sees of the subscriptions.
#include "core/subscription/union_upstream.hpp"

#include "core/zmq/socket_io.hpp"

#include <gtest/gtest.h>
#include <zmq.hpp>

#include <set>

namespace sluice::core {
namespace {

class UnionUpstreamTest : public testing::Test {
 protected:
  UnionUpstreamTest() {
    for (auto* socket : {&first, &second}) socket->set(zmq::sockopt::sndhwm, 0);
    first.bind("inproc://first");
    second.bind("inproc://second");
    for (auto* source : {&source_a, &source_b}) source->set(zmq::sockopt::rcvtimeo, 2000);
    source_a.connect("inproc://first");
    source_b.connect("inproc://second");
    options.max_topic = 10;
    options.max_subscriptions = 3;
    options.on_event = [this](const Event& e) { events.emplace_back(e.text); };
  }
  Upstream::Sent take(std::size_t sink, const std::string& text) {
    Message message;
    Frame& frame = message.next();
    zmq_msg_init_size(frame.raw(), text.size());
    std::memcpy(zmq_msg_data(frame.raw()), text.data(), text.size());
    message.push();
    return upstream->take(sink, message);
  }
  static std::string seen(zmq::socket_t& source) {
    zmq::message_t message;
    return source.recv(message) ? message.to_string() : "nothing";
  }

  zmq::context_t context;
  zmq::socket_t first{context, zmq::socket_type::xsub};
  zmq::socket_t second{context, zmq::socket_type::xsub};
  zmq::socket_t source_a{context, zmq::socket_type::xpub};
  zmq::socket_t source_b{context, zmq::socket_type::xpub};
  RouteOptions options;
  LoopCounters counters;
  Waiter waiter;
  Frontend one{first.handle(), waiter};
  Frontend two{second.handle(), waiter};
  std::vector<std::string> events;
  std::optional<UnionUpstream> upstream;
};

TEST_F(UnionUpstreamTest, every_source_hears_the_union_once) {
  upstream.emplace(options, counters);
  upstream->add(one);
  EXPECT_EQ(take(0, "\1a").messages, 1U);
  EXPECT_EQ(take(1, "\1a").messages, 0U);
  upstream->add(two);  // late: gets what is there
  EXPECT_EQ(seen(source_a), "\1a");
  EXPECT_EQ(seen(source_b), "\1a");
  EXPECT_EQ(take(0, std::string{"\0a", 2}).messages, 0U);
  EXPECT_EQ(take(1, std::string{"\0a", 2}).messages, 1U);
  EXPECT_EQ(seen(source_a), (std::string{"\0a", 2}));
}

TEST_F(UnionUpstreamTest, static_subscriptions_stay) {
  options.subscribe = {"s"};
  upstream.emplace(options, counters);
  upstream->add(one);
  EXPECT_EQ(seen(source_a), "\1s");
  EXPECT_EQ(take(0, "\1s").messages, 0U);
  EXPECT_EQ(take(0, std::string{"\0s", 2}).messages, 0U);
}

TEST_F(UnionUpstreamTest, long_topics_and_too_many_stay_behind_counted_and_told_once) {
  upstream.emplace(options, counters);
  upstream->add(one);
  EXPECT_EQ(take(0, "\1" + std::string(11, 't')).messages, 0U);
  EXPECT_EQ(take(0, std::string(1, '\0') + std::string(11, 't')).messages, 0U);
  for (const char* topic : {"\1a", "\1b", "\1c", "\1d"}) take(0, topic);
  EXPECT_EQ(counters.topics_refused.get(), 2U);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_NE(events[0].find("max_topic"), std::string::npos);
  EXPECT_EQ(upstream->topics(0), 3U);
}

TEST_F(UnionUpstreamTest, user_messages_from_subscribers_are_dropped_and_counted) {
  upstream.emplace(options, counters);
  upstream->add(one);
  EXPECT_EQ(take(0, "\2x").messages, 0U);
  EXPECT_EQ(take(0, "").messages, 0U);
  EXPECT_EQ(counters.upstream_dropped_messages.get(), 2U);
}

}  // namespace
}  // namespace sluice::core
