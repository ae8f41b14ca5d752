// SPDX-License-Identifier: Apache-2.0
#include "app/log/repeat_filter.hpp"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

TEST(RepeatFilter, HoldsRepeatsBackAndCountsThem) {
  RepeatFilter filter;
  for (std::uint64_t i = 0; i < RepeatFilter::k_passing; ++i) EXPECT_EQ(filter.admit("x", 0), 0U);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(filter.admit("x", 1));
  EXPECT_EQ(filter.admit("y", 1), 0U) << "another text passes";
  EXPECT_EQ(filter.admit("x", RepeatFilter::k_interval), 3U);
  EXPECT_EQ(filter.admit("x", RepeatFilter::k_interval + 1), 0U);
}

}  // namespace
}  // namespace sluice::app
