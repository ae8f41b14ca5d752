// SPDX-License-Identifier: Apache-2.0
#include "core/control/control_protocol.hpp"

#include "control_fake.hpp"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

class ControlProtocolTest : public testing::Test {
 protected:
  ControlAnswer handle(std::string_view text, std::size_t frames = 1, bool can_answer = true) {
    return protocol.handle({text, frames, can_answer});
  }

  FakeSteerable steerable;
  std::vector<std::string> lines;
  ControlProtocol protocol{steerable,
                           [this](Severity, std::string_view text) { lines.emplace_back(text); }};
};

TEST_F(ControlProtocolTest, ClassicsAreAnsweredEmpty) {
  for (const char* word : {"PAUSE", "RESUME", "TERMINATE", "PAUSE market"}) {
    const ControlAnswer answer = handle(word);
    EXPECT_EQ(answer.reply, empty_reply());
    EXPECT_TRUE(answer.classic);
  }
  EXPECT_EQ(steerable.calls,
            (std::vector<std::string>{"pause", "resume", "terminate", "pause market"}));
  EXPECT_EQ(protocol.done(Verb::pause), 2U);
}

TEST_F(ControlProtocolTest, ARefusedClassicIsAnsweredEverywhere) {
  const ControlAnswer answer = handle("PAUSE nowhere");
  EXPECT_FALSE(answer.classic);
  EXPECT_EQ(answer.reply, Reply{"ERR PAUSE no such route"});
  EXPECT_EQ(protocol.refused(Verb::pause), 1U);
  EXPECT_TRUE(steerable.calls.empty());
}

TEST_F(ControlProtocolTest, ExtendedWordsAreAnsweredWithOk) {
  EXPECT_EQ(handle("PING").reply, Reply{"OK"});
  EXPECT_EQ(handle("GET k").reply, Reply{"OK v"});
  EXPECT_EQ(handle("STATUS").reply, Reply{"OK {}"});
  EXPECT_EQ(handle("DRAIN").reply, Reply{"OK"});
  EXPECT_EQ(handle("STATISTICS").reply.size(), 8U);
  EXPECT_EQ(handle("RELOAD").reply, Reply{"ERR RELOAD not offered here"});
}

TEST_F(ControlProtocolTest, WhatThrowsIsAnswered) {
  EXPECT_EQ(handle("SET k throw").reply, Reply{"ERR SET thrown"});
}

TEST_F(ControlProtocolTest, RejectsAndCountsAndLogsOnce) {
  EXPECT_EQ(handle("").reply, Reply{"ERR - empty command"});
  EXPECT_EQ(handle({}, 0).reply, Reply{"ERR - empty command"});
  EXPECT_EQ(handle("PAUSE", 2).reply, Reply{"ERR - a command is a single frame"});
  EXPECT_EQ(handle("WHAT").reply, Reply{"ERR WHAT no such command"});
  EXPECT_EQ(protocol.rejected(), 4U);
  EXPECT_TRUE(steerable.calls.empty());
  EXPECT_EQ(lines.size(), 1U) << "rate-limited";
}

TEST_F(ControlProtocolTest, AQuestionWithoutAWayBackIsIgnoredWithOneLine) {
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(handle("STATISTICS", 1, false).reply.empty());
  EXPECT_EQ(lines.size(), 1U);
  EXPECT_EQ(protocol.rejected(), 10U);
}

TEST_F(ControlProtocolTest, OneWayCommandsAreCarriedOut) {
  static_cast<void>(handle("TERMINATE", 1, false));
  EXPECT_EQ(steerable.calls, std::vector<std::string>{"terminate"});
}

TEST(LogLimit, CountsWhatItHoldsBack) {
  LogLimit limit(10);
  EXPECT_EQ(limit.admit(0), 0U);
  EXPECT_FALSE(limit.admit(5));
  EXPECT_FALSE(limit.admit(9));
  EXPECT_EQ(limit.admit(10), 2U);
  EXPECT_EQ(limit.admit(20), 0U);
}

TEST(LogLimit, LetsSomeThroughAndCountsTheRest) {
  LogLimit limit{10 * k_second, 3};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limit.admit(k_second), std::optional<std::uint64_t>(0));
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(limit.admit(2 * k_second));
  EXPECT_EQ(limit.admit(11 * k_second), std::optional<std::uint64_t>(5));
  EXPECT_EQ(limit.admit(11 * k_second), std::optional<std::uint64_t>(0));
}

}  // namespace
}  // namespace sluice::core
