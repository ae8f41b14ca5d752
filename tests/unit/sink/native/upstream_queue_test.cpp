// SPDX-License-Identifier: Apache-2.0
#include "sink/native/upstream_queue.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using sluice::core::Message;
using sluice::sink::UpstreamQueue;
using std::string_literals::operator""s;

std::string text(const Message& message) {
  std::string all;
  for (std::size_t i = 0; i < message.frames(); ++i) {
    const auto bytes = message.frame(i).bytes();
    all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()).append("|");
  }
  return all;
}

TEST(UpstreamQueue, KeepsTheOrder) {
  UpstreamQueue queue;
  queue.push_topic(true, "a\0b"s);
  EXPECT_TRUE(queue.push_message(std::vector<std::string>{"x", "", "z"}));
  queue.push_topic(false, "");
  Message message;
  queue.pop(message);
  EXPECT_EQ(text(message), "\1a\0b|"s);
  queue.pop(message);
  EXPECT_EQ(text(message), "x||z|");
  queue.pop(message);
  EXPECT_EQ(text(message), "\0|"s);
  EXPECT_TRUE(queue.empty());
}

TEST(UpstreamQueue, IsBounded) {
  UpstreamQueue queue;
  const std::vector<std::string> large(4, std::string(1 << 20, 'x'));
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(queue.push_message(large));
  EXPECT_FALSE(queue.push_message(large));
  Message message;
  queue.pop(message);
  EXPECT_TRUE(queue.push_message(large));
  while (!queue.empty()) queue.pop(message);
  const std::vector<std::string> small{"m"};
  for (std::size_t i = 0; i < UpstreamQueue::k_user_messages; ++i) {
    ASSERT_TRUE(queue.push_message(small));
  }
  EXPECT_FALSE(queue.push_message(small));
  while (!queue.full()) queue.push_topic(true, "t");
  while (!queue.empty()) queue.pop(message);
  EXPECT_TRUE(queue.push_message(small));
}

}  // namespace
