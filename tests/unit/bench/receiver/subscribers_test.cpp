// SPDX-License-Identifier: Apache-2.0
#include "receiver/subscribers.hpp"

#include "socket.hpp"

#include <gtest/gtest.h>
#include <zmq.h>

#include <array>
#include <chrono>
#include <string>
#include <unistd.h>

namespace sluice::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// Both kinds, against a real libzmq publisher.
class SubscribersTest : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  void SetUp() override {
    ASSERT_EQ(pipe(m_control.data()), 0);
    m_socket = Socket(m_context.get(), ZMQ_XPUB);
    m_socket.set(ZMQ_XPUB_VERBOSE, 1);
    m_socket.set(ZMQ_SNDHWM, 0);
    m_socket.bind(fresh_endpoint(std::get<1>(GetParam())));
    m_options.kind = std::get<0>(GetParam());
    m_options.endpoints = {m_socket.last_endpoint()};
  }
  void TearDown() override {
    close(m_control[0]);
    close(m_control[1]);
  }

  void open() {
    m_subscribers =
        m_options.kind == "zmq" ? make_zmq_subscribers(m_options) : make_raw_subscribers(m_options);
  }
  template <typename Condition>
  bool wait_until(Tally& tally, Condition condition) {
    const auto end = Clock::now() + std::chrono::seconds(20);
    while (!condition()) {
      if (Clock::now() > end) return false;
      m_subscribers->wait(tally, m_control[0], 10);
    }
    return true;
  }
  std::size_t drain_subscriptions() {
    std::size_t count = 0;
    std::array<char, 64> topic{};
    while (zmq_recv(m_socket.get(), topic.data(), topic.size(), ZMQ_DONTWAIT) >= 0) ++count;
    return count;
  }
  void publish(std::size_t size, const Header& header, bool more = false) {
    std::string bytes(size, 'x');
    write_header(reinterpret_cast<std::byte*>(bytes.data()), header);
    ASSERT_GE(zmq_send(m_socket.get(), bytes.data(), bytes.size(), more ? ZMQ_SNDMORE : 0), 0);
  }

  Context m_context;
  Socket m_socket;
  ReceiverOptions m_options;
  std::unique_ptr<Subscribers> m_subscribers;
  std::array<int, 2> m_control{};
};

TEST_P(SubscribersTest, CountFramesOfEveryLength) {
  m_options.subscribers = 3;
  open();
  Tally tally(3, 0, 1, false);
  std::size_t topics = 0;
  ASSERT_TRUE(wait_until(tally, [&] {
    topics += drain_subscriptions();
    return m_subscribers->connected() && topics == 6;
  }));
  publish(k_header_size, {0, 0, 0, k_probe});
  ASSERT_TRUE(wait_until(tally, [&] { return tally.probed(); }));
  std::uint64_t sequence = 0;
  std::uint64_t bytes = 0;
  for (const std::size_t size : {24U, 100U, 255U, 256U, 8'191U, 8'193U, 40'036U, 1'000'000U}) {
    for (int i = 0; i < 20; ++i) {
      publish(size, {sequence++, 0, 0, k_data});
      bytes += size;
    }
  }
  ASSERT_TRUE(wait_until(tally, [&] { return tally.messages() == 3 * sequence; }));
  EXPECT_EQ(tally.progress(), 3 * sequence);
  EXPECT_EQ(tally.bytes(), 3 * bytes);
  EXPECT_EQ(tally.disorder(), 0U);
}

TEST_P(SubscribersTest, CountAMessageOnceWhateverItsFrames) {
  open();
  Tally tally(1, 0, 1, false);
  std::size_t topics = 0;
  ASSERT_TRUE(wait_until(tally, [&] {
    topics += drain_subscriptions();
    return topics == 2;
  }));
  for (std::uint64_t i = 0; i < 10; ++i) {
    publish(100, {i, 0, 0, k_data}, true);
    publish(300'000, {99, 0, 0, k_data});
  }
  ASSERT_TRUE(wait_until(tally, [&] { return tally.messages() == 10; }));
  EXPECT_EQ(tally.progress(), 10U);
}

TEST_P(SubscribersTest, SayWhenTheControlDescriptorIsReadable) {
  open();
  Tally tally(1, 0, 1, false);
  ASSERT_EQ(write(m_control[1], "x", 1), 1);
  const auto end = Clock::now() + std::chrono::seconds(20);
  bool readable = false;
  while (!readable && Clock::now() < end) {
    readable = m_subscribers->wait(tally, m_control[0], 100);
  }
  EXPECT_TRUE(readable);
}

TEST_P(SubscribersTest, IdleOnesSubscribeToWhatNobodySends) {
  m_options.idle = 1;
  m_options.idle_topics = 50;
  open();
  Tally tally(1, 1, 1, false);
  std::size_t topics = 0;
  ASSERT_TRUE(wait_until(tally, [&] {
    topics += drain_subscriptions();
    return topics == 2 + 51;
  }));
  publish(100, {0, 0, 0, k_probe});
  EXPECT_TRUE(wait_until(tally, [&] { return tally.probed(); }));
}

INSTANTIATE_TEST_SUITE_P(Kinds, SubscribersTest,
                         testing::Combine(testing::Values("raw", "zmq"),
                                          testing::Values("tcp", "ipc")),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" +
                                  std::get<1>(test.param);
                         });

}  // namespace
}  // namespace sluice::bench
