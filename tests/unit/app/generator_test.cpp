// SPDX-License-Identifier: Apache-2.0
#include "app/feed/generator.hpp"

#include "support/deadline.hpp"

#include <gtest/gtest.h>

#include <map>

namespace sluice::app {
namespace {

using config::GeneratorOptions;
using test::eventually;

class GeneratorTest : public testing::Test {
 protected:
  GeneratorTest() : frontend(context, zmq::socket_type::xsub) {
    frontend.set(zmq::sockopt::linger, 0);
    frontend.set(zmq::sockopt::rcvhwm, 100);
    frontend.set(zmq::sockopt::rcvtimeo, static_cast<int>(test::patience().count()));
    frontend.bind("inproc://feed");
  }

  void start(GeneratorOptions options) {
    options.name = "demo";
    generator.emplace(context, options, "inproc://feed");
  }
  void subscribe(const std::string& topic) {
    frontend.send(zmq::buffer("\x01" + topic), zmq::send_flags::none);
  }
  std::vector<std::string> receive() {
    std::vector<std::string> frames;
    zmq::message_t frame;
    do {
      if (!frontend.recv(frame)) return {};
      frames.push_back(frame.to_string());
    } while (frame.more());
    return frames;
  }
  static Payload payload_of(const std::string& text) {
    return read_payload(std::as_bytes(std::span(text))).value();
  }

  zmq::context_t context;
  zmq::socket_t frontend;
  std::optional<Generator> generator;
};

TEST_F(GeneratorTest, SendsTopicsInTurnNumberedPerTopic) {
  GeneratorOptions options;
  options.rate = 0;
  options.topics = {"a", "bb"};
  start(options);
  subscribe("");
  std::map<std::string, std::uint64_t> next;
  for (int i = 0; i < 1000; ++i) {
    const auto frames = receive();
    ASSERT_EQ(frames.size(), 1U);
    ASSERT_EQ(frames[0].size(), 100U);
    const std::string topic = frames[0].substr(0, frames[0][0] == 'a' ? 1 : 2);
    EXPECT_EQ(topic, i % 2 == 0 ? "a" : "bb");
    const Payload payload = payload_of(frames[0]);
    EXPECT_EQ(payload.source, source_id("demo"));
    EXPECT_EQ(payload.sequence, next[topic]++);
  }
}

TEST_F(GeneratorTest, AsFastAsPossibleWaitsWhenFull) {
  GeneratorOptions options;
  options.rate = 0;
  options.topics = {"a"};
  options.send_hwm = 10;
  start(options);
  subscribe("a");
  ASSERT_TRUE(eventually([&] { return generator->sent() >= 100; }));
  for (std::uint64_t expected = 0; expected < 5000; ++expected) {
    ASSERT_EQ(payload_of(receive().at(0)).sequence, expected) << "nothing is lost";
  }
  EXPECT_EQ(generator->skipped(), 0U);
}

TEST_F(GeneratorTest, AsFastAsPossibleWaitsForASubscription) {
  GeneratorOptions options;
  options.rate = 0;
  options.topics = {"a"};
  start(options);
  subscribe("b");
  EXPECT_TRUE(eventually([&] { return generator->sent() > 0; }))
      << "libzmq drops what nobody wants";
  generator->request_stop();
  generator->join();
}

TEST_F(GeneratorTest, AFixedRateSkipsWhenFullAndCounts) {
  GeneratorOptions options;
  options.rate = 20'000;
  options.topics = {"a"};
  options.send_hwm = 10;
  start(options);
  subscribe("a");
  ASSERT_TRUE(eventually([&] { return generator->skipped() > 100; }));
  // What went out before the subscription had come is nobody's.
  const std::uint64_t first = payload_of(receive().at(0)).sequence;
  for (std::uint64_t expected = first + 1; expected < first + 110; ++expected) {
    ASSERT_EQ(payload_of(receive().at(0)).sequence, expected) << "what is sent has no gap";
  }
}

TEST_F(GeneratorTest, SeveralFramesAndSmallSizes) {
  GeneratorOptions options;
  options.rate = 0;
  options.topics = {"topic"};
  options.frames = 3;
  options.size = 1;
  start(options);
  subscribe("topic");
  const auto frames = receive();
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(frames[0], "topic");
  EXPECT_EQ(frames[2].size(), k_payload_size) << "never too small for the numbers";
}

TEST_F(GeneratorTest, StopsInEveryState) {
  for (const std::uint64_t rate : {0U, 1U, 1'000'000U}) {
    GeneratorOptions options;
    options.rate = rate;
    options.topics = {"a"};
    options.send_hwm = 1;
    start(options);
    subscribe("a");
    ASSERT_TRUE(rate == 1 || eventually([&] { return generator->sent() > 0; }));
    generator.reset();
  }
}

TEST_F(GeneratorTest, EndsWithTheContext) {
  GeneratorOptions options;
  options.rate = 0;
  options.topics = {"a"};
  start(options);
  subscribe("a");
  static_cast<void>(receive());
  context.shutdown();
  generator->join();
}

}  // namespace
}  // namespace sluice::app
