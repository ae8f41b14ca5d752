// SPDX-License-Identifier: Apache-2.0
#include "app/tune/knobs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sluice::app::tune {
namespace {

using namespace std::chrono_literals;

TEST(TuneKnobs, HoldsArePartsOfTheBudget) {
  const auto all = hold_candidates({Engine::native, Engine::zmq}, 2ms, 100'000);
  ASSERT_EQ(all.size(), 12U);
  EXPECT_EQ(hold_text(all[0]), "native  coalesce_delay 0");
  EXPECT_EQ(hold_text(all[1]), "native  coalesce_delay 125us");
  EXPECT_EQ(hold_text(all[4]), "native  coalesce_delay 1ms");
  EXPECT_EQ(hold_text(all[5]), "native  adaptive 1ms");
  EXPECT_EQ(hold_text(all[11]), "zmq  adaptive 1ms");
}

TEST(TuneKnobs, LeavesOutHoldsThatCannotPay) {
  // 1000 a second: within half a millisecond nothing else comes.
  const auto slow = hold_candidates({Engine::native}, 2ms, 1'000);
  ASSERT_EQ(slow.size(), 3U);
  EXPECT_EQ(slow[1].tuning.coalesce_delay, 1ms);
  EXPECT_EQ(slow[2].tuning.mode, TuningMode::adaptive);
  EXPECT_EQ(hold_candidates({Engine::native}, 2ms, 10).size(), 2U);
}

TEST(TuneKnobs, StayWithinWhatTheSettingsAllow) {
  for (const auto budget : {10us, 200'000us}) {
    for (const Knobs& knobs : hold_candidates({Engine::native}, budget, 1e8)) {
      EXPECT_LE(knobs.tuning.coalesce_delay, 100ms);
      EXPECT_LE(knobs.tuning.latency_budget, 100ms);
      EXPECT_GE(knobs.tuning.latency_budget, 1us);
    }
  }
}

TEST(TuneKnobs, LooksKeepTheHoldAndHaveTheDefaultAmongThem) {
  Knobs base;
  base.tuning.coalesce_delay = 250us;
  const auto looks = look_candidates(base);
  EXPECT_TRUE(std::all_of(looks.begin(), looks.end(),
                          [](const Knobs& k) { return k.tuning.coalesce_delay == 250us; }));
  EXPECT_NE(std::find(looks.begin(), looks.end(), base), looks.end());
}

}  // namespace
}  // namespace sluice::app::tune
