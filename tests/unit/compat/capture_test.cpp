// SPDX-License-Identifier: Apache-2.0
#include "rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::test {
namespace {

using testing::ElementsAre;
using testing::Optional;
using zmq::socket_type;

Proxy::Options with(socket_type capture) {
  Proxy::Options options;
  options.capture = capture;
  return options;
}

TEST(Capture, DataAndSubscriptionsButNeverControl) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::xsub, socket_type::xpub, with(socket_type::push)};
  auto tap = connected(context, socket_type::pull, "inproc://capture");
  auto source = connected(context, socket_type::xpub, "inproc://front");
  proxy.start();
  auto subscriber = connected(context, socket_type::sub, "inproc://back");
  ASSERT_TRUE(receive(source));
  EXPECT_THAT(receive(tap), Optional(ElementsAre(std::string{"\1", 1})));
  proxy.command("PAUSE");
  EXPECT_TRUE(proxy.ask("PING"));
  proxy.command("RESUME");
  EXPECT_EQ(proxy.statistics().size(), 8U);
  ASSERT_TRUE(send(source, {"a", "b"}));
  EXPECT_THAT(receive(subscriber), Optional(ElementsAre("a", "b")));
  EXPECT_THAT(receive(tap), Optional(ElementsAre("a", "b")));
  EXPECT_TRUE(proxy.terminate());
  EXPECT_FALSE(receive_now(tap));
}

void both_directions(socket_type capture, socket_type listener) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::router, socket_type::dealer, with(capture)};
  auto tap = connected(context, listener, "inproc://capture");
  auto client = connected(context, socket_type::req, "inproc://front");
  auto server = connected(context, socket_type::rep, "inproc://back");
  proxy.start();
  if (capture == socket_type::pub) {  // until its subscription has arrived
    ASSERT_TRUE(eventually([&] {
      send(client, {"?"});
      receive(server);
      send(server, {"!"});
      receive(client);
      return receive_now(tap).has_value();
    }));
    while (receive_now(tap)) {
    }
  }
  ASSERT_TRUE(send(client, {"ask"}));
  ASSERT_TRUE(receive(server));
  ASSERT_TRUE(send(server, {"answer"}));
  ASSERT_TRUE(receive(client));
  auto message = receive(tap);
  while (message && (message->back() == "?" || message->back() == "!")) message = receive(tap);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->back(), "ask");
  message = receive(tap);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->back(), "answer");
  EXPECT_EQ(message->size(), 3U);  // identity, delimiter, body
  EXPECT_TRUE(proxy.terminate());
}

TEST(Capture, BothDirectionsPush) {
  both_directions(socket_type::push, socket_type::pull);
}
TEST(Capture, BothDirectionsPub) {
  both_directions(socket_type::pub, socket_type::sub);
}
TEST(Capture, BothDirectionsPair) {
  both_directions(socket_type::pair, socket_type::pair);
}
TEST(Capture, BothDirectionsDealer) {
  both_directions(socket_type::dealer, socket_type::dealer);
}

// Types that cannot send, or not at will, copy what they can and never stop the forwarding.
TEST(Capture, UnsuitableTypesDoNoHarm) {
  for (const auto capture : {socket_type::sub, socket_type::pull, socket_type::rep,
                             socket_type::req, socket_type::router, socket_type::xsub}) {
    zmq::context_t context;
    Proxy proxy{context, socket_type::pull, socket_type::push, with(capture)};
    auto source = connected(context, socket_type::push, "inproc://front");
    auto target = connected(context, socket_type::pull, "inproc://back");
    proxy.start();
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(send(source, {std::to_string(i)}));
      ASSERT_THAT(receive(target), Optional(ElementsAre(std::to_string(i))));
    }
    const auto result = proxy.terminate();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->rc, 0);
  }
}

// All start together: the reader of the capture socket comes a moment later than the data.
TEST(Capture, TheFirstReaderMayBeLate) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::pull, socket_type::push, with(socket_type::push)};
  auto source = connected(context, socket_type::push, "inproc://front");
  auto target = connected(context, socket_type::pull, "inproc://back");
  proxy.start();
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(send(source, {std::to_string(i), "x"}));
    ASSERT_TRUE(receive(target));
  }
  auto tap = connected(context, socket_type::pull, "inproc://capture");
  for (int i = 0; i < 500; ++i) {
    ASSERT_THAT(receive(tap), Optional(ElementsAre(std::to_string(i), "x")));
  }
  EXPECT_TRUE(proxy.terminate());
}

TEST(Capture, UnreadNeverBlocks) {
  for (const auto capture : {socket_type::push, socket_type::pair, socket_type::pub}) {
    zmq::context_t context;
    Proxy proxy{context, socket_type::pull, socket_type::push, with(capture)};
    auto source = connected(context, socket_type::push, "inproc://front");
    auto target = connected(context, socket_type::pull, "inproc://back");
    proxy.start();
    for (int i = 0; i < 5000; ++i) {
      ASSERT_TRUE(send(source, {"a", std::to_string(i)}));
      ASSERT_THAT(receive(target), Optional(ElementsAre("a", std::to_string(i))));
    }
    EXPECT_THAT(proxy.ask("PING"), Optional(ElementsAre("OK")));
    EXPECT_TRUE(proxy.terminate());
  }
}

}  // namespace
}  // namespace sluice::test
