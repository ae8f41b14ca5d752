// SPDX-License-Identifier: Apache-2.0
#include "core/wait/hold.hpp"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

Tuning with_delay(std::chrono::nanoseconds delay) {
  Tuning tuning;
  tuning.coalesce_delay = delay;
  return tuning;
}

TEST(Hold, is_off_unless_asked_for) {
  Hold hold;
  hold.set(Tuning{});
  EXPECT_EQ(hold.after_turn(5, k_second), 0);
}

TEST(Hold, follows_turns_that_were_not_full) {
  Hold hold;
  hold.set(with_delay(1ms));
  EXPECT_EQ(hold.after_turn(0, k_second), 0);
  EXPECT_EQ(hold.after_turn(1, 2 * k_second), k_millisecond);
  EXPECT_EQ(hold.after_turn(1000, 3 * k_second), 0);  // inbound_poll_rate reached: a flood
}

TEST(Hold, is_cut_before_a_fast_source_overruns_its_mark) {
  Hold hold;
  hold.set(with_delay(100ms));
  hold.set_mark(1000);
  Nanoseconds t = k_second;
  Nanoseconds answer = 0;
  // 100 messages each millisecond: half of the mark fills in 5 ms.
  for (int i = 0; i < 50; ++i) answer = hold.after_turn(100, t += k_millisecond);
  EXPECT_TRUE(hold.cut());
  EXPECT_NEAR(static_cast<double>(answer), 5.0 * k_millisecond, 0.1 * k_millisecond);
}

TEST(Hold, counts_what_was_forwarded_without_a_rest_in_the_rate) {
  Hold hold;
  hold.set(with_delay(1ms));
  Nanoseconds t = k_second;
  for (int i = 0; i < 100; ++i) {
    hold.add(900);
    hold.after_turn(100, t += k_millisecond);
  }
  EXPECT_NEAR(hold.rate() * k_second, 1e6, 1e4);
}

TEST(Hold, adaptive_holds_only_while_more_is_expected_within_the_budget) {
  Tuning tuning;
  tuning.mode = TuningMode::adaptive;
  tuning.latency_budget = 1ms;
  Hold hold;
  hold.set(tuning);
  Nanoseconds t = k_second;
  Nanoseconds slow = 0;
  for (int i = 0; i < 100; ++i) slow = hold.after_turn(1, t += 10 * k_millisecond);
  EXPECT_EQ(slow, 0);
  Nanoseconds fast = 0;
  for (int i = 0; i < 60; ++i) fast = hold.after_turn(1, t += 100 * k_microsecond);
  EXPECT_EQ(fast, k_millisecond);
}

TEST(Hold, adaptive_is_cut_like_a_fixed_one) {
  Tuning tuning;
  tuning.mode = TuningMode::adaptive;
  tuning.latency_budget = 10ms;
  Hold hold;
  hold.set(tuning);
  hold.set_mark(100);
  Nanoseconds t = k_second;
  Nanoseconds answer = 0;
  // One every 100 us: half of the mark fills in 5 ms.
  for (int i = 0; i < 60; ++i) {
    const Nanoseconds next = hold.after_turn(1, t += 100 * k_microsecond);
    if (next > 0) answer = next;
  }
  EXPECT_GT(answer, 0);
  EXPECT_LT(answer, 6 * k_millisecond);
}

}  // namespace
}  // namespace sluice::core
