// SPDX-License-Identifier: Apache-2.0
#include "measure/histogram.hpp"

#include <gtest/gtest.h>

namespace sluice::measure {
namespace {

TEST(Histogram, EmptyHasNoQuantile) {
  EXPECT_EQ(Histogram{}.total(), 0U);
  EXPECT_EQ(Histogram{}.quantile_ns(0.5), 0.0);
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram h;
  for (int i = 0; i < 64; ++i) h.add(i);
  EXPECT_EQ(h.quantile_ns(0.0), 0.0);
  EXPECT_EQ(h.quantile_ns(1.0), 63.0);
}

TEST(Histogram, ErrorStaysUnderOneInSixtyFour) {
  for (std::int64_t value = 1; value < 1'000'000'000'000; value = value * 7 / 3 + 1) {
    Histogram h;
    h.add(value);
    EXPECT_NEAR(h.quantile_ns(0.5), static_cast<double>(value), static_cast<double>(value) / 64.0);
  }
}

TEST(Histogram, NegativeAndHugeValuesFallIntoTheEnds) {
  Histogram h;
  h.add(-5);
  h.add(INT64_MAX);
  EXPECT_EQ(h.total(), 2U);
  EXPECT_EQ(h.quantile_ns(0.0), 0.0);
  EXPECT_GT(h.quantile_ns(1.0), 3.6e12);
}

TEST(Histogram, QuantilesSplitTheCounts) {
  Histogram h;
  for (int i = 0; i < 99; ++i) h.add(10);
  h.add(1'000'000);
  EXPECT_EQ(h.quantile_ns(0.50), 10.0);
  EXPECT_EQ(h.quantile_ns(0.98), 10.0);
  EXPECT_GT(h.quantile_ns(1.0), 900'000.0);
}

TEST(Histogram, TextBringsBackEveryCount) {
  Histogram h;
  for (std::int64_t value = 1; value < 1'000'000'000; value *= 3) h.add(value);
  Histogram copy;
  ASSERT_TRUE(copy.parse(h.text()));
  EXPECT_EQ(copy.text(), h.text());
  Histogram twice = copy;
  twice.merge(h);
  EXPECT_EQ(twice.total(), 2 * h.total());
}

TEST(Histogram, MalformedTextIsRefused) {
  for (const char* text : {"x", "1", "1:", ":1", "99999:1", "1:2 3"}) {
    EXPECT_FALSE(Histogram{}.parse(text)) << text;
  }
}

}  // namespace
}  // namespace sluice::measure
