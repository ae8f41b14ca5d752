// SPDX-License-Identifier: Apache-2.0
#include "app/process/watchdog.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

namespace sluice::app {
namespace {

using std::chrono::milliseconds;

TEST(Watchdog, EndsQuietlyWhenTheStopWasInTime) {
  Log log({});
  Watchdog watchdog(log);
  watchdog.arm(std::chrono::hours(1));
}

TEST(WatchdogDeathTest, CleansUpBeforeItLeaves) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        Log log({});
        Watchdog watchdog(log, [] { static_cast<void>(::write(2, "cleaned\n", 8)); });
        watchdog.arm(milliseconds(1));
        while (true) ::pause();
      },
      testing::ExitedWithCode(1), "cleaned");
}

TEST(WatchdogDeathTest, LeavesWithOneAndSaysWhatItWaitedFor) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        Log log({});
        Watchdog watchdog(log);
        watchdog.waiting_for("plug-in mine");
        watchdog.arm(milliseconds(1));
        while (true) ::pause();
      },
      testing::ExitedWithCode(1), "still waiting for plug-in mine");
}

}  // namespace
}  // namespace sluice::app
