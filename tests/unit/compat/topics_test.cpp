// SPDX-License-Identifier: Apache-2.0
// Subscription frames pass unchanged, except topics that libzmq's trie cannot bear.
#include "rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;
using zmq::socket_type;

std::string subscription(const std::string& topic) {
  return std::string{"\1"} + topic;
}
std::string cancellation(const std::string& topic) {
  return std::string(1, '\0') + topic;
}

struct Subscribed {
  explicit Subscribed(std::uint64_t max_topic = 0)
      : proxy(context, socket_type::xsub, socket_type::xpub, options(max_topic)) {
    source = connected(context, socket_type::xpub, "inproc://front");
    proxy.start();
    subscriber = connected(context, socket_type::xsub, "inproc://back");
  }
  static Proxy::Options options(std::uint64_t max_topic) {
    Proxy::Options options;
    options.tuning.max_topic = max_topic;
    return options;
  }
  bool asks(const Frames& frames) { return send(subscriber, frames); }
  auto heard() { return receive(source); }

  zmq::context_t context;
  Proxy proxy;
  zmq::socket_t source;
  zmq::socket_t subscriber;
};

TEST(Topics, HugeTopicSubscribedAndCancelledLeavesEverythingStanding) {
  Subscribed s;
  const std::string huge(300'000, 't');
  ASSERT_TRUE(s.asks({subscription(huge)}));
  ASSERT_TRUE(s.asks({subscription("a")}));
  EXPECT_THAT(s.heard(), Optional(ElementsAre(subscription("a"))));
  ASSERT_TRUE(send(s.source, {"a1"}));
  EXPECT_THAT(receive(s.subscriber), Optional(ElementsAre("a1")));
  EXPECT_THAT(s.proxy.ask("STATUS")->front(), HasSubstr("\"state\":\"running\""));
  EXPECT_TRUE(s.proxy.terminate());
}

TEST(Topics, TheLimitIsExact) {
  Subscribed s{10};
  ASSERT_TRUE(s.asks({subscription(std::string(11, 'x'))}));
  ASSERT_TRUE(s.asks({subscription(std::string(10, 'y'))}));
  EXPECT_THAT(s.heard(), Optional(ElementsAre(subscription(std::string(10, 'y')))));
  ASSERT_TRUE(s.asks({cancellation(std::string(11, 'x'))}));
  ASSERT_TRUE(s.asks({cancellation(std::string(10, 'y'))}));
  EXPECT_THAT(s.heard(), Optional(ElementsAre(cancellation(std::string(10, 'y')))));
  EXPECT_TRUE(s.proxy.terminate());
}

TEST(Topics, UserMessagesPass) {
  Subscribed s{10};
  ASSERT_TRUE(s.asks({"a user message", "of two frames"}));
  EXPECT_THAT(s.heard(), Optional(ElementsAre("a user message", "of two frames")));
  EXPECT_TRUE(s.proxy.terminate());
}

TEST(Topics, OnlyAnXsubIsGuarded) {
  zmq::context_t context;
  Proxy::Options options;
  options.tuning.max_topic = 10;
  Proxy proxy{context, socket_type::pair, socket_type::pair, options};
  auto a = connected(context, socket_type::pair, "inproc://front");
  auto b = connected(context, socket_type::pair, "inproc://back");
  proxy.start();
  const std::string text = subscription(std::string(100, 'x'));
  ASSERT_TRUE(send(b, {text}));
  EXPECT_THAT(receive(a), Optional(ElementsAre(text)));
  EXPECT_TRUE(proxy.terminate());
}

}  // namespace
}  // namespace sluice::test
