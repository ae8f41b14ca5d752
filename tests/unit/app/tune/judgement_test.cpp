// SPDX-License-Identifier: Apache-2.0
#include "app/tune/search.hpp"

#include <gtest/gtest.h>

namespace sluice::app::tune {
namespace {

using namespace std::chrono_literals;

HoldRow hold(double cpu_ns, double p50_us, double p99_us) {
  HoldRow row;
  row.median.cpu_ns = cpu_ns;
  row.median.p50_us = p50_us;
  row.median.p99_us = p99_us;
  return row;
}

LookRow look(std::uint32_t rate, double cpu_ns, double p99_us, double messages_per_s = 1e6) {
  LookRow row;
  row.knobs.tuning.inbound_poll_rate = rate;
  row.median.cpu_ns = cpu_ns;
  row.median.command_p50_us = p99_us / 10;
  row.median.command_p99_us = p99_us;
  row.median.messages_per_s = messages_per_s;
  return row;
}

TEST(TuneJudgement, TakesTheCheapestWithinTheBudget) {
  const std::vector<HoldRow> rows{hold(10'000, 100, 300), hold(3'000, 400, 900),
                                  hold(2'000, 800, 2'100)};
  Judged judged{};
  EXPECT_EQ(&best_hold(rows, 1'000, judged), &rows[1]);
  EXPECT_EQ(judged, Judged::p99);
  EXPECT_EQ(&best_hold(rows, 3'000, judged), &rows[2]);
}

TEST(TuneJudgement, TakesTheQuickerOfThoseThatCostTheSame) {
  const std::vector<HoldRow> rows{hold(3'000, 400, 900), hold(3'100, 200, 500),
                                  hold(3'300, 100, 300)};
  Judged judged{};
  EXPECT_EQ(&best_hold(rows, 1'000, judged), &rows[1]);
}

TEST(TuneJudgement, JudgesP50WhereTheMachineItselfIsTooSlow) {
  const std::vector<HoldRow> rows{hold(10'000, 100, 9'000), hold(3'000, 400, 20'000),
                                  hold(2'000, 1'800, 5'000)};
  Judged judged{};
  EXPECT_EQ(&best_hold(rows, 1'000, judged), &rows[1]);
  EXPECT_EQ(judged, Judged::p50);
  EXPECT_EQ(&best_hold(rows, 50, judged), &rows[0]);
  EXPECT_EQ(judged, Judged::nothing);
}

TEST(TuneJudgement, KeepsTheDefaultLooksUnlessOthersAreClearlyCheaper) {
  Judged judged{};
  const std::vector<LookRow> alike{look(100, 210, 200), look(1'000, 205, 400),
                                   look(10'000, 200, 900)};
  EXPECT_EQ(&best_look(alike, 1'000, judged), &alike[1]);
  const std::vector<LookRow> cheaper{look(100, 400, 200), look(1'000, 300, 400),
                                     look(10'000, 200, 900)};
  EXPECT_EQ(&best_look(cheaper, 1'000, judged), &cheaper[2]);
  EXPECT_EQ(&best_look(cheaper, 300, judged), &cheaper[0]);
}

TEST(TuneJudgement, MarksWhatNothingElseBeats) {
  std::vector<HoldRow> rows{hold(10'000, 0, 300), hold(3'000, 0, 900), hold(4'000, 0, 1'000)};
  mark_pareto(rows);
  EXPECT_TRUE(rows[0].pareto);
  EXPECT_TRUE(rows[1].pareto);
  EXPECT_FALSE(rows[2].pareto);
  std::vector<LookRow> looks{look(100, 300, 200, 1e6), look(1'000, 200, 300, 2e6),
                             look(10'000, 250, 400, 1.5e6)};
  mark_pareto(looks);
  EXPECT_TRUE(looks[0].pareto);
  EXPECT_TRUE(looks[1].pareto);
  EXPECT_FALSE(looks[2].pareto);
}

TEST(TuneJudgement, MediansLeaveOutTrialsWhoseLoadWasLate) {
  const auto trial = [](double cpu_ns, double lateness_us) {
    AtWorkload t;
    t.cpu_ns = cpu_ns;
    t.lateness_us = lateness_us;
    return t;
  };
  EXPECT_DOUBLE_EQ(
      median_of({trial(1, 10), trial(2, 10), trial(9, 5'000), trial(8, 5'000)}, 1'000).cpu_ns, 1.5);
  EXPECT_DOUBLE_EQ(median_of({trial(1, 900), trial(3, 900), trial(2, 900)}, 1'000).cpu_ns, 2);
  EXPECT_FALSE(median_of({trial(1, 10)}, 1'000).calls);
}

}  // namespace
}  // namespace sluice::app::tune
