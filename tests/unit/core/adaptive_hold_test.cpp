// SPDX-License-Identifier: Apache-2.0
#include "core/wait/adaptive_hold.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::core {
namespace {

constexpr Nanoseconds k_budget = k_millisecond;

double per_second(double rate) {
  return rate / static_cast<double>(k_second);
}

// Messages that come singly: turns without a hold find one, others what has come in meanwhile.
struct Even {
  AdaptiveHold hold;
  double rate;
  Nanoseconds last = 0;
  int holds = 0;

  explicit Even(double messages_per_s) : rate(per_second(messages_per_s)) {
    hold.set_budget(k_budget);
  }
  void turn() {
    const double came = rate * static_cast<double>(last);
    last = hold.after_turn(static_cast<std::uint64_t>(std::max(came, 1.0)), rate);
    holds += last > 0 ? 1 : 0;
  }
};

TEST(AdaptiveHold, does_not_hold_where_nothing_else_would_arrive_within_the_budget) {
  for (const double rate : {1.0, 100.0, 900.0, 1'100.0}) {
    Even flow{rate};
    for (int i = 0; i < 1'000; ++i) flow.turn();
    EXPECT_EQ(flow.holds, 0) << rate;
  }
}

TEST(AdaptiveHold, holds_for_the_budget_where_more_would) {
  for (const double rate : {1'400.0, 5'000.0, 50'000.0, 200'000.0}) {
    Even flow{rate};
    Nanoseconds longest = 0;
    for (int i = 0; i < 1'000; ++i) {
      flow.turn();
      longest = std::max(longest, flow.last);
    }
    EXPECT_EQ(longest, k_budget) << rate;
    EXPECT_GE(flow.holds, 950) << rate;
  }
}

TEST(AdaptiveHold, is_shorter_where_less_is_enough) {
  Even flow{2'000'000.0};
  flow.turn();
  EXPECT_NEAR(static_cast<double>(flow.last), 128 * k_microsecond, k_microsecond);
}

TEST(AdaptiveHold, leaves_bunches_alone_that_a_hold_would_not_make_larger) {
  // Ten at once, every millisecond: a turn without a hold finds them all.
  AdaptiveHold hold;
  hold.set_budget(k_budget);
  const double rate = per_second(10'000);
  int late_holds = 0;
  for (int i = 0; i < 2'000; ++i) {
    const Nanoseconds answer = hold.after_turn(10, rate);
    if (i >= 1'000 && answer > 0) ++late_holds;
  }
  EXPECT_EQ(late_holds, 0);
  // A larger budget would join several bunches: then it pays again.
  hold.set_budget(10 * k_budget);
  EXPECT_EQ(hold.after_turn(10, rate), 10 * k_budget);
}

TEST(AdaptiveHold, finds_out_when_bunches_become_single_messages) {
  AdaptiveHold hold;
  hold.set_budget(k_budget);
  const double rate = per_second(10'000);
  for (int i = 0; i < 1'000; ++i) static_cast<void>(hold.after_turn(10, rate));
  int turns = 0;
  while (hold.after_turn(1, rate) == 0 && turns < 100) ++turns;
  EXPECT_LT(turns, 10);
}

TEST(AdaptiveHold, follows_a_load_that_swings) {
  AdaptiveHold hold;
  hold.set_budget(k_budget);
  for (int swing = 0; swing < 10; ++swing) {
    Nanoseconds high = 0;
    for (int i = 0; i < 100; ++i) high = std::max(high, hold.after_turn(200, per_second(200'000)));
    EXPECT_EQ(high, k_budget);
    Nanoseconds low = 0;
    for (int i = 0; i < 100; ++i) low = std::max(low, hold.after_turn(1, per_second(100)));
    EXPECT_EQ(low, 0);
  }
}

}  // namespace
}  // namespace sluice::core
