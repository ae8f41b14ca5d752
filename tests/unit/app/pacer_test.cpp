// SPDX-License-Identifier: Apache-2.0
#include "app/feed/pacer.hpp"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

using config::Pattern;
using core::k_millisecond;
using core::k_second;

TEST(Pacer, EvenGivesOneAtATime) {
  Pacer pacer(1000, Pattern::even, 0);
  EXPECT_EQ(pacer.take_due(0), 1U);
  EXPECT_EQ(pacer.take_due(0), 0U);
  EXPECT_EQ(pacer.next(), k_millisecond);
  EXPECT_EQ(pacer.take_due(k_millisecond - 1), 0U);
  EXPECT_EQ(pacer.take_due(k_millisecond), 1U);
  EXPECT_EQ(pacer.next(), 2 * k_millisecond);
}

TEST(Pacer, WhatItSaysIsNextIsDueThen) {
  for (const auto pattern : {Pattern::even, Pattern::ticked}) {
    for (const std::uint64_t rate : {1U, 3U, 7U, 999U, 10'000U, 123'457U, 1'000'000'000U}) {
      Pacer pacer(rate, pattern, 12'345);
      static_cast<void>(pacer.take_due(12'345));
      for (int i = 0; i < 50; ++i) {
        const auto next = pacer.next();
        ASSERT_EQ(pacer.take_due(next - 1), 0U) << rate << " " << i;
        ASSERT_GE(pacer.take_due(next), 1U) << rate << " " << i;
      }
      EXPECT_EQ(pacer.take_skipped(), 0U);
    }
  }
}

TEST(Pacer, TickedGivesWhatIsDueOnceAMillisecond) {
  Pacer pacer(10'000, Pattern::ticked, 0);
  EXPECT_EQ(pacer.take_due(k_millisecond / 2), 0U);
  EXPECT_EQ(pacer.next(), k_millisecond);
  EXPECT_EQ(pacer.take_due(k_millisecond), 10U);
  EXPECT_EQ(pacer.take_due(k_millisecond + k_millisecond / 2), 0U);
}

TEST(Pacer, KeepsTheRateOverTime) {
  for (const auto pattern : {Pattern::even, Pattern::ticked}) {
    Pacer pacer(12'345, pattern, 0);
    std::uint64_t sum = 0;
    for (core::Nanoseconds t = 0; t < 10 * k_second; t += 7 * k_millisecond) {
      sum += pacer.take_due(t);
    }
    EXPECT_NEAR(static_cast<double>(sum), 123'450.0, 200.0);
  }
}

TEST(Pacer, SkipsWhatIsLate) {
  Pacer pacer(1000, Pattern::even, 0);
  EXPECT_EQ(pacer.take_due(10 * k_second), 100U);
  EXPECT_EQ(pacer.take_skipped(), 9901U);
  EXPECT_EQ(pacer.take_skipped(), 0U);
}

}  // namespace
}  // namespace sluice::app
