// SPDX-License-Identifier: Apache-2.0
#include "core/wait/arrival_rate.hpp"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

TEST(ArrivalRate, is_that_of_an_even_flow) {
  ArrivalRate rate;
  for (int i = 0; i < 1000; ++i) rate.add(1, 10 * k_microsecond);
  EXPECT_NEAR(rate.per_ns() * k_second, 100'000, 100);
}

TEST(ArrivalRate, does_not_take_a_bunch_for_a_high_rate) {
  ArrivalRate rate;
  rate.set_memory(10 * k_millisecond);
  // Ten messages 1 us apart, then 9.99 ms of silence: 1000/s.
  for (int i = 0; i < 100; ++i) {
    rate.add(1, 10 * k_millisecond - 9 * k_microsecond);
    for (int n = 0; n < 9; ++n) rate.add(1, k_microsecond);
  }
  EXPECT_LT(rate.per_ns() * k_second, 2'000);
}

TEST(ArrivalRate, follows_a_rise_and_a_fall_within_its_memory) {
  ArrivalRate rate;
  rate.set_memory(8 * k_millisecond);
  for (int i = 0; i < 10; ++i) rate.add(1, 10 * k_millisecond);
  EXPECT_NEAR(rate.per_ns() * k_second, 100, 5);
  for (int i = 0; i < 800; ++i) rate.add(1, 5 * k_microsecond);  // 4 ms of 200k/s
  EXPECT_GT(rate.per_ns() * k_second, 20'000);
  for (int i = 0; i < 12; ++i) rate.add(1, 10 * k_millisecond);
  EXPECT_NEAR(rate.per_ns() * k_second, 100, 10);
}

TEST(ArrivalRate, forgets_a_long_silence_soon) {
  ArrivalRate rate;
  rate.set_memory(8 * k_millisecond);
  rate.add(1, 3'600 * k_second);
  EXPECT_LT(rate.per_ns() * k_second, 100);
  for (int i = 0; i < 200; ++i) rate.add(1, 100 * k_microsecond);  // 20 ms of 10k/s
  EXPECT_GT(rate.per_ns() * k_second, 5'000);
}

TEST(ArrivalRate, is_nothing_before_there_was_anything) {
  EXPECT_EQ(ArrivalRate{}.per_ns(), 0.0);
}

}  // namespace
}  // namespace sluice::core
