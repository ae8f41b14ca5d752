// SPDX-License-Identifier: Apache-2.0
// Every pair of socket types that zmq_proxy(3) serves, either way round.
#include "rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::test {
namespace {

using testing::ElementsAre;
using testing::Optional;
using zmq::socket_type;

void end(Proxy& proxy) {
  const auto result = proxy.terminate();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->rc, 0);
}

// Publishers on the side of the XSUB or SUB, subscribers on that of the XPUB or PUB.
void publish_through(socket_type front, socket_type back, bool reversed) {
  zmq::context_t context;
  Proxy proxy{context, front, back};
  for (auto* socket : {&proxy.front(), &proxy.back()}) {
    if (socket->get(zmq::sockopt::type) == ZMQ_SUB) socket->set(zmq::sockopt::subscribe, "");
  }
  const bool forwards_topics = front == socket_type::xsub || back == socket_type::xsub;
  auto source =
      connected(context, socket_type::xpub, reversed ? "inproc://back" : "inproc://front");
  proxy.start();
  auto subscriber =
      connected(context, socket_type::sub, reversed ? "inproc://front" : "inproc://back");
  ASSERT_THAT(receive(source), Optional(ElementsAre(std::string{"\1", 1})));
  if (!forwards_topics) {  // nothing tells when the subscription has arrived
    ASSERT_TRUE(eventually([&] {
      send(source, {"is", "it there"});
      return receive_now(subscriber).has_value();
    }));
    while (receive_now(subscriber)) {
    }
  }
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(send(source, {"a", "", std::to_string(i)}));
  for (int i = 0; i < 1000; ++i) {
    auto message = receive(subscriber);
    while (message && message->front() == "is") message = receive(subscriber);
    ASSERT_THAT(message, Optional(ElementsAre("a", "", std::to_string(i))));
  }
  end(proxy);
}

TEST(Pairs, XsubXpub) {
  publish_through(socket_type::xsub, socket_type::xpub, false);
}
TEST(Pairs, XpubXsub) {
  publish_through(socket_type::xpub, socket_type::xsub, true);
}
TEST(Pairs, SubPub) {
  publish_through(socket_type::sub, socket_type::pub, false);
}
TEST(Pairs, PubSub) {
  publish_through(socket_type::pub, socket_type::sub, true);
}
TEST(Pairs, SubXpub) {
  publish_through(socket_type::sub, socket_type::xpub, false);
}

void push_through(socket_type front, socket_type back, const char* in, const char* out) {
  zmq::context_t context;
  Proxy proxy{context, front, back};
  auto source = connected(context, socket_type::push, in);
  auto target = connected(context, socket_type::pull, out);
  proxy.start();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(send(source, {std::to_string(i), "x"}));
    ASSERT_THAT(receive(target), Optional(ElementsAre(std::to_string(i), "x")));
  }
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(send(source, {std::to_string(i)}));
  for (int i = 0; i < 500; ++i) {
    ASSERT_THAT(receive(target), Optional(ElementsAre(std::to_string(i))));
  }
  end(proxy);
}

TEST(Pairs, PullPush) {
  push_through(socket_type::pull, socket_type::push, "inproc://front", "inproc://back");
}
TEST(Pairs, PushPull) {
  push_through(socket_type::push, socket_type::pull, "inproc://back", "inproc://front");
}

// Requests one way, replies the other.
void request_through(socket_type front, socket_type back, const char* in, const char* out) {
  zmq::context_t context;
  Proxy proxy{context, front, back};
  auto client = connected(context, socket_type::req, in);
  auto server = connected(context, socket_type::rep, out);
  proxy.start();
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(send(client, {"ask", std::to_string(i)}));
    ASSERT_THAT(receive(server), Optional(ElementsAre("ask", std::to_string(i))));
    ASSERT_TRUE(send(server, {"answer", std::to_string(i)}));
    ASSERT_THAT(receive(client), Optional(ElementsAre("answer", std::to_string(i))));
  }
  end(proxy);
}

TEST(Pairs, RouterDealer) {
  request_through(socket_type::router, socket_type::dealer, "inproc://front", "inproc://back");
}
TEST(Pairs, DealerRouter) {
  request_through(socket_type::dealer, socket_type::router, "inproc://back", "inproc://front");
}
TEST(Pairs, RepReq) {
  request_through(socket_type::rep, socket_type::req, "inproc://front", "inproc://back");
}

void talk_through(socket_type front, socket_type back, socket_type left, socket_type right) {
  zmq::context_t context;
  Proxy proxy{context, front, back};
  auto a = connected(context, left, "inproc://front");
  auto b = connected(context, right, "inproc://back");
  proxy.start();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(send(a, {"to b", std::to_string(i)}));
    ASSERT_TRUE(send(b, {"to a", std::to_string(i)}));
  }
  for (int i = 0; i < 1000; ++i) {
    ASSERT_THAT(receive(b), Optional(ElementsAre("to b", std::to_string(i))));
    ASSERT_THAT(receive(a), Optional(ElementsAre("to a", std::to_string(i))));
  }
  // And one at a time, in the direction that the loop treats as the lesser.
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(send(b, {std::to_string(i)}));
    ASSERT_THAT(receive(a), Optional(ElementsAre(std::to_string(i))));
  }
  end(proxy);
}

TEST(Pairs, PairPair) {
  talk_through(socket_type::pair, socket_type::pair, socket_type::pair, socket_type::pair);
}
TEST(Pairs, DealerDealer) {
  talk_through(socket_type::dealer, socket_type::dealer, socket_type::dealer, socket_type::dealer);
}

TEST(Pairs, StatisticsAreTheCallersWayRound) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::push, socket_type::pull};
  auto source = connected(context, socket_type::push, "inproc://back");
  auto target = connected(context, socket_type::pull, "inproc://front");
  proxy.start();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(send(source, {"abcde", "f"}));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(receive(target));
  EXPECT_THAT(proxy.statistics(), ElementsAre(0, 0, 3, 18, 3, 18, 0, 0));
  end(proxy);
}

TEST(Pairs, SameSocketSendsBack) {
  zmq::context_t context;
  Proxy::Options options;
  options.same_socket = true;
  Proxy proxy{context, socket_type::rep, socket_type::rep, options};
  auto client = connected(context, socket_type::req, "inproc://front");
  proxy.start();
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(send(client, {std::to_string(i), "x"}));
    ASSERT_THAT(receive(client), Optional(ElementsAre(std::to_string(i), "x")));
  }
  EXPECT_EQ(proxy.statistics().at(0), 500U);
  EXPECT_EQ(proxy.statistics().at(6), 500U);
  end(proxy);
}

TEST(Pairs, SameDealerSendsBackUnderLoad) {
  zmq::context_t context;
  Proxy::Options options;
  options.same_socket = true;
  Proxy proxy{context, socket_type::dealer, socket_type::dealer, options};
  auto client = connected(context, socket_type::dealer, "inproc://front");
  proxy.start();
  // More than the marks of both ends hold: it waits for room until the answers are read.
  int received = 0;
  for (int i = 0; i < 20'000; ++i) {
    while (!client.send(zmq::buffer(std::to_string(i)), zmq::send_flags::dontwait)) {
      ASSERT_THAT(receive(client), Optional(ElementsAre(std::to_string(received))));
      ++received;
    }
  }
  for (; received < 20'000; ++received) {
    ASSERT_THAT(receive(client), Optional(ElementsAre(std::to_string(received))));
  }
  end(proxy);
}

}  // namespace
}  // namespace sluice::test
