// SPDX-License-Identifier: Apache-2.0
#include "receiver/nats_connection.hpp"

#include "../nats_server.hpp"

#include <gtest/gtest.h>

#include <poll.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::bench {
namespace {

constexpr int k_wait_ms = 20'000;

class NatsConnectionTest : public testing::Test {
 protected:
  void open() {
    m_server.accept_one();
    m_server.say("INFO {\"version\":\"2.9.10\"}\r\n");
    serve();
    ASSERT_TRUE(m_connection.open());
  }
  void serve() {
    pollfd item{m_connection.fd(), POLLIN, 0};
    ASSERT_EQ(poll(&item, 1, k_wait_ms), 1);
    m_connection.on_ready(m_tally, m_buffer);
  }
  static std::string message(const Header& header, std::size_t size) {
    std::string payload(size, '\n');
    write_header(reinterpret_cast<std::byte*>(payload.data()), header);
    return "MSG data 1 " + std::to_string(size) + "\r\n" + payload + "\r\n";
  }

  NatsServer m_server;
  NatsConnection m_connection{m_server.endpoint(), 0, {"data", "prob"}};
  Tally m_tally{1, 0, 1, false};
  std::vector<std::byte> m_buffer = std::vector<std::byte>(256U << 10);
};

TEST_F(NatsConnectionTest, SubscribesAndCounts) {
  ASSERT_NO_FATAL_FAILURE(open());
  const auto said = m_server.hear("SUB prob 2\r\n");
  EXPECT_TRUE(said.starts_with("CONNECT {\"verbose\":false,")) << said;
  EXPECT_TRUE(said.ends_with("}\r\nSUB data 1\r\nSUB prob 2\r\n")) << said;
  std::string text;
  for (std::uint64_t i = 0; i < 3; ++i) text += message({i, 0, 0, k_data}, 100);
  text += message({5, 0, 0, k_data}, 40'036);
  m_server.say(text);
  while (m_tally.progress() < 6) ASSERT_NO_FATAL_FAILURE(serve());
  EXPECT_EQ(m_tally.messages(), 4U);
  EXPECT_EQ(m_tally.bytes(), 300U + 40'036U);
}

TEST_F(NatsConnectionTest, TakesAMessageInPieces) {
  ASSERT_NO_FATAL_FAILURE(open());
  for (const char c : message({0, 0, 0, k_data}, 100)) {
    m_server.say(std::string(1, c));
    ASSERT_NO_FATAL_FAILURE(serve());
  }
  EXPECT_EQ(m_tally.messages(), 1U);
}

TEST_F(NatsConnectionTest, AnswersPing) {
  ASSERT_NO_FATAL_FAILURE(open());
  m_server.hear("SUB prob 2\r\n");
  m_server.say("PING\r\n");
  ASSERT_NO_FATAL_FAILURE(serve());
  EXPECT_EQ(m_server.hear("\n"), "PONG\r\n");
}

TEST_F(NatsConnectionTest, ASlowConsumerThatIsCutOffIsOver) {
  ASSERT_NO_FATAL_FAILURE(open());
  m_server.hear("SUB prob 2\r\n");
  m_server.say("-ERR 'Slow Consumer'\r\n");
  m_server.close();
  while (m_connection.fd() >= 0) ASSERT_NO_FATAL_FAILURE(serve());
  EXPECT_TRUE(m_connection.open());
}

TEST_F(NatsConnectionTest, RefusesWhatItCannotRead) {
  m_server.accept_one();  // the connection of the other tests
  for (const char* line : {"MSG data 1 many\r\n", "MSG data 1 99999999\r\n", "\n"}) {
    NatsConnection connection{m_server.endpoint(), 0, {"data"}};
    m_server.accept_one();
    m_server.say(line);
    pollfd item{connection.fd(), POLLIN, 0};
    ASSERT_EQ(poll(&item, 1, k_wait_ms), 1);
    EXPECT_THROW(connection.on_ready(m_tally, m_buffer), std::runtime_error) << line;
  }
}

}  // namespace
}  // namespace sluice::bench
