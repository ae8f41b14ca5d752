// SPDX-License-Identifier: Apache-2.0
// Subscription frames pass unchanged, except topics that libzmq's trie cannot bear.
#include "core/base/fd.hpp"
#include "rig.hpp"
#include "support/ports.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

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

/// A subscriber that keeps no trie of its own: bytes of ZMTP 3.0 (RFC 23) on a TCP connection.
class RawSubscriber {
 public:
  explicit RawSubscriber(std::uint16_t port) : m_fd(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    m_connected =
        ::connect(m_fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    std::string greeting = "\xff" + std::string(8, '\0') + "\x7f\3" + '\0' + "NULL";
    greeting.resize(64);
    const std::string ready =
        std::string{"\5READY\xb", 7} + "Socket-Type" + std::string{"\0\0\0\3SUB", 7};
    write(greeting + '\4' + static_cast<char>(ready.size()) + ready);
  }
  [[nodiscard]] bool connected() const { return m_connected; }
  void send(const std::string& body) {
    std::string header{"\2"};
    for (int shift = 56; shift >= 0; shift -= 8) {
      header += static_cast<char>((body.size() >> shift) & 0xff);
    }
    write(header + body);
  }

 private:
  void write(const std::string& bytes) {
    for (std::size_t done = 0; m_connected && done < bytes.size();) {
      const auto n = ::send(m_fd.get(), bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
      m_connected = n > 0;
      if (n > 0) done += static_cast<std::size_t>(n);
    }
  }

  core::Fd m_fd;
  bool m_connected = false;
};

TEST(Topics, HugeTopicSubscribedAndCancelledLeavesEverythingStanding) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::xsub, socket_type::xpub};
  const std::uint16_t port = free_port();
  proxy.back().bind("tcp://127.0.0.1:" + std::to_string(port));
  auto source = connected(context, socket_type::xpub, "inproc://front");
  proxy.start();
  const std::string huge(300'000, 't');
  {
    RawSubscriber subscriber{port};
    subscriber.send(subscription(huge));
    subscriber.send(subscription("a"));
    EXPECT_THAT(receive(source), Optional(ElementsAre(subscription("a"))));
    subscriber.send(cancellation(huge));
    subscriber.send(subscription(huge));
    subscriber.send(subscription("b"));
    EXPECT_THAT(receive(source), Optional(ElementsAre(subscription("b"))));
    ASSERT_TRUE(subscriber.connected());
  }
  // The subscriber has gone: all of it is cancelled.
  EXPECT_THAT(receive(source), Optional(ElementsAre(cancellation("a"))));
  EXPECT_THAT(receive(source), Optional(ElementsAre(cancellation("b"))));
  EXPECT_THAT(proxy.ask("STATUS")->front(), HasSubstr("\"state\":\"running\""));
  EXPECT_TRUE(proxy.terminate());
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

// Stock ends here with ENOTSUP; unread they would stay in the XPUB for ever.
TEST(Topics, S_15_WithoutAWayUpTheyAreReadAndDropped) {
  for (const auto front : {socket_type::sub, socket_type::pull}) {
    zmq::context_t context;
    Proxy proxy{context, front, socket_type::xpub};
    if (front == socket_type::sub) proxy.front().set(zmq::sockopt::subscribe, "");
    proxy.start();
    auto subscriber = make_socket(context, socket_type::xsub);
    subscriber.set(zmq::sockopt::sndhwm, 0);  // else it drops what finds no room
    subscriber.connect("inproc://back");
    for (int i = 0; i < 50'000; ++i) {
      ASSERT_TRUE(send(subscriber, {subscription("x")}));
      ASSERT_TRUE(send(subscriber, {cancellation("x")}));
    }
    ASSERT_TRUE(send(subscriber, {subscription("data")}));
    EXPECT_TRUE(eventually([&] { return proxy.statistics().at(4) == 100'001; }))
        << proxy.statistics().at(4);
    EXPECT_EQ(proxy.statistics().at(2), 0U);
    auto source =
        connected(context, front == socket_type::sub ? socket_type::pub : socket_type::push,
                  "inproc://front");
    std::optional<Frames> received;
    EXPECT_TRUE(eventually([&] {  // nobody tells when the source's link is there
      send(source, {"data"});
      received = receive_now(subscriber);
      return received.has_value();
    }));
    EXPECT_THAT(received, Optional(ElementsAre("data")));
    const auto result = proxy.terminate();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->rc, 0);
  }
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
