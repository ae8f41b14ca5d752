// SPDX-License-Identifier: Apache-2.0
// The subscribers and publishers of foreign protocols, against a server that the test plays.
#include "../nats_server.hpp"
#include "mqtt.hpp"
#include "outlet/outlet.hpp"
#include "receiver/mqtt_connection.hpp"
#include "receiver/plain_connection.hpp"
#include "receiver/sp_connection.hpp"
#include "sp.hpp"

#include <gtest/gtest.h>

#include <poll.h>
#include <string>
#include <vector>

namespace sluice::bench {
namespace {

using namespace std::string_literals;

constexpr int k_wait_ms = 20'000;

std::string payload(std::uint64_t sequence, std::size_t size) {
  std::string bytes(size, 'x');
  write_header(reinterpret_cast<std::byte*>(bytes.data()), {sequence, 0, 0, k_data});
  return bytes;
}

class PeerConnections : public testing::Test {
 protected:
  void serve(Connection& connection) {
    pollfd item{connection.fd(), POLLIN, 0};
    ASSERT_EQ(poll(&item, 1, k_wait_ms), 1);
    connection.on_ready(m_tally, m_buffer);
  }
  /// One byte at a time, so that every unit comes in pieces.
  void say_slowly(Connection& connection, const std::string& bytes) {
    for (const char c : bytes) {
      m_server.say(std::string(1, c));
      ASSERT_NO_FATAL_FAILURE(serve(connection));
    }
  }

  NatsServer m_server;
  Tally m_tally{1, 0, 1, false};
  std::vector<std::byte> m_buffer = std::vector<std::byte>(256U << 10);
};

TEST_F(PeerConnections, MqttSubscribesAndCounts) {
  MqttConnection connection(m_server.endpoint(), 0, {"data", "prob"});
  m_server.accept_one();
  m_server.say("\x20\x02\0\0"s);
  ASSERT_NO_FATAL_FAILURE(serve(connection));
  const auto wanted = mqtt_connect() + mqtt_subscribe({"data", "prob"});
  EXPECT_EQ(m_server.hear(wanted.size()), wanted);
  EXPECT_FALSE(connection.open());
  ASSERT_NO_FATAL_FAILURE(say_slowly(connection, "\x90\x04\0\1\0\0"s));
  EXPECT_TRUE(connection.open());
  std::string packet;
  append_mqtt_publish(packet, "data", 200);
  ASSERT_NO_FATAL_FAILURE(say_slowly(connection, packet + payload(0, 200)));
  EXPECT_EQ(m_tally.messages(), 1U);
  EXPECT_EQ(m_tally.bytes(), 200U);
}

TEST_F(PeerConnections, MqttSaysWhenItIsRefused) {
  MqttConnection connection(m_server.endpoint(), 0, {"data"});
  m_server.accept_one();
  m_server.say("\x20\x02\0\5"s);
  pollfd item{connection.fd(), POLLIN, 0};
  ASSERT_EQ(poll(&item, 1, k_wait_ms), 1);
  EXPECT_THROW(connection.on_ready(m_tally, m_buffer), std::runtime_error);
}

TEST_F(PeerConnections, SpGreetsAndCounts) {
  SpConnection connection(m_server.endpoint(), 0);
  m_server.accept_one();
  ASSERT_NO_FATAL_FAILURE(say_slowly(connection, std::string(k_sp_publisher)));
  EXPECT_TRUE(connection.open());
  EXPECT_EQ(m_server.hear(k_sp_greeting_size), k_sp_subscriber);
  ASSERT_NO_FATAL_FAILURE(say_slowly(connection, "\0\0\0\0\0\0\0\x64"s + payload(0, 100)));
  EXPECT_EQ(m_tally.messages(), 1U);
}

TEST_F(PeerConnections, PublishersWriteWhatTheirSubscribersRead) {
  const auto mqtt = make_mqtt_outlet(m_server.endpoint());
  m_server.accept_one();
  EXPECT_EQ(m_server.hear(mqtt_connect().size()), mqtt_connect());
  EXPECT_EQ(mqtt->send({0, 0, 0, k_data}, std::string(100, 'x')), Outlet::Result::sent);
  EXPECT_EQ(mqtt->flush(), Outlet::Result::sent);
  std::string wanted;
  append_mqtt_publish(wanted, "data", 100);
  wanted += payload(0, 100);
  EXPECT_EQ(m_server.hear(wanted.size()), wanted);

  const auto sp = make_sp_outlet(m_server.endpoint());
  m_server.accept_one();
  EXPECT_EQ(sp->send({0, 0, 0, k_data}, std::string(100, 'x')), Outlet::Result::sent);
  EXPECT_EQ(sp->flush(), Outlet::Result::sent);
  wanted = std::string(k_sp_publisher) + "\0\0\0\0\0\0\0\x64"s + payload(0, 100);
  EXPECT_EQ(m_server.hear(wanted.size()), wanted);
}

TEST_F(PeerConnections, PlainOutletReachesEverybodyInEveryStyle) {
  for (const PlainOptions options : {PlainOptions{false, 0, true}, PlainOptions{true, 0, false},
                                     PlainOptions{false, 300, true}}) {
    const auto outlet = make_plain_outlet("tcp://127.0.0.1:*", options);
    Tally tally{2, 0, 1, false};
    PlainConnection first(outlet->endpoint(), 0);
    PlainConnection second(outlet->endpoint(), 1);
    for (Connection* connection :
         {static_cast<Connection*>(&first), static_cast<Connection*>(&second)}) {
      pollfd item{connection->fd(), POLLOUT, 0};
      ASSERT_EQ(poll(&item, 1, k_wait_ms), 1);
      connection->on_ready(tally, m_buffer);
      EXPECT_TRUE(connection->open());
    }
    outlet->drain();
    for (std::uint64_t i = 0; i < 5; ++i) {
      EXPECT_EQ(outlet->send({i, 0, 0, k_data}, std::string(100, 'x')), Outlet::Result::sent);
    }
    EXPECT_EQ(outlet->flush(), Outlet::Result::sent);
    while (tally.progress() < 10) {
      pollfd items[] = {{first.fd(), POLLIN, 0}, {second.fd(), POLLIN, 0}};
      ASSERT_GT(poll(items, 2, k_wait_ms), 0);
      if (items[0].revents != 0) first.on_ready(tally, m_buffer);
      if (items[1].revents != 0) second.on_ready(tally, m_buffer);
    }
    EXPECT_EQ(tally.messages(), 10U);
    EXPECT_EQ(tally.bytes(), 1000U);
  }
}

}  // namespace
}  // namespace sluice::bench
