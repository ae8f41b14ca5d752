// SPDX-License-Identifier: Apache-2.0
#include "receiver/tally.hpp"

#include <gtest/gtest.h>

namespace sluice::bench {
namespace {

Header data(std::uint64_t sequence, std::uint16_t source = 0, std::int64_t sent_ns = 0) {
  return {sequence, sent_ns, source, k_data};
}

TEST(Tally, KnowsWhenEverybodyHasHadEveryProbe) {
  Tally tally(1, 1, 2, false);
  const Header probe_0{0, 0, 0, k_probe};
  const Header probe_1{0, 0, 1, k_probe};
  tally.on_message(0, probe_0, 100, 1);
  tally.on_message(0, probe_0, 100, 1);
  tally.on_message(0, probe_1, 100, 1);
  tally.on_message(1, probe_0, 100, 1);
  EXPECT_FALSE(tally.probed());
  tally.on_message(1, probe_1, 100, 1);
  EXPECT_TRUE(tally.probed());
  EXPECT_EQ(tally.messages(), 0U);
}

TEST(Tally, CountsGapsAsProgressButNotAsMessages) {
  Tally tally(1, 0, 2, false);
  tally.on_message(0, data(0, 0), 100, 1);
  tally.on_message(0, data(3, 0), 100, 2);
  tally.on_message(0, data(0, 1), 50, 3);
  EXPECT_EQ(tally.messages(), 3U);
  EXPECT_EQ(tally.progress(), 5U);
  EXPECT_EQ(tally.bytes(), 250U);
  EXPECT_EQ(tally.last_ns(), 3);
  EXPECT_EQ(tally.disorder(), 0U);
}

TEST(Tally, NoticesDisorderAndRepetition) {
  Tally tally(1, 0, 1, false);
  tally.on_message(0, data(1), 100, 1);
  tally.on_message(0, data(0), 100, 2);
  tally.on_message(0, data(1), 100, 3);
  EXPECT_EQ(tally.disorder(), 2U);
  EXPECT_EQ(tally.messages(), 1U);
}

TEST(Tally, IgnoresWhatNobodySent) {
  Tally tally(1, 0, 1, false);
  tally.on_message(0, data(0, 7), 100, 1);
  tally.on_message(9, data(0), 100, 1);
  EXPECT_EQ(tally.messages(), 0U);
}

TEST(Tally, TakesLatencyOnlyFromMessagesThatCarryATime) {
  Tally tally(1, 0, 1, false);
  tally.on_message(0, data(0), 100, 1'000);
  tally.on_message(0, data(1, 0, 1'000), 100, 1'050);
  EXPECT_EQ(tally.latency().total(), 1U);
  EXPECT_EQ(tally.latency().quantile_ns(0.5), 50.0);
}

TEST(Tally, KeepsFirstAndLastArrivalOfOverlappingRounds) {
  Tally tally(2, 0, 1, true);
  tally.on_message(0, data(0, 0, 1'000), 100, 1'010);
  tally.on_message(0, data(1, 0, 1'001), 100, 1'021);
  EXPECT_EQ(tally.take_rounds(), 0U);
  tally.on_message(1, data(0, 0, 1'000), 100, 1'040);
  EXPECT_EQ(tally.take_rounds(), 1U);
  tally.on_message(1, data(1, 0, 1'001), 100, 1'061);
  EXPECT_EQ(tally.take_rounds(), 1U);
  EXPECT_EQ(tally.take_rounds(), 0U);
  EXPECT_EQ(tally.first().quantile_ns(0.0), 10.0);
  EXPECT_EQ(tally.first().quantile_ns(1.0), 20.0);
  EXPECT_EQ(tally.last().quantile_ns(0.0), 40.0);
  EXPECT_EQ(tally.last().quantile_ns(1.0), 60.0);
}

}  // namespace
}  // namespace sluice::bench
