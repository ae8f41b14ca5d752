// SPDX-License-Identifier: Apache-2.0
#include "receiver/options.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace sluice::bench {
namespace {

TEST(ReceiverOptions, SurviveTheCommandLine) {
  ReceiverOptions options;
  options.kind = "zmq";
  options.sources = 4;
  options.subscribers = 200;
  options.idle = 3;
  options.idle_topics = 100'000;
  options.rounds = ReceiverOptions::Rounds::announce;
  options.endpoints = {"tcp://127.0.0.1:1", "ipc:///tmp/a=b"};
  const auto words = to_arguments(options);
  EXPECT_EQ(to_arguments(parse_arguments(words)), words);
  EXPECT_EQ(parse_arguments(words).endpoints[1], "ipc:///tmp/a=b");
}

TEST(ReceiverOptions, UnknownWordsAreRefused) {
  for (const char* word : {"subscribers", "color=red", "sources=many", "rounds=9"}) {
    EXPECT_THROW(static_cast<void>(parse_arguments({word})), std::invalid_argument) << word;
  }
}

TEST(ReceiverOptions, IdleSubscribersOfOneTopicAreNotProbed) {
  ReceiverOptions options;
  options.idle_topics = 1;
  EXPECT_FALSE(options.idle_probed());
  options.idle_topics = 2;
  EXPECT_TRUE(options.idle_probed());
}

}  // namespace
}  // namespace sluice::bench
