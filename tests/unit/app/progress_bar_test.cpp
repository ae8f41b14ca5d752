// SPDX-License-Identifier: Apache-2.0
#include "app/terminal/progress_bar.hpp"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

TEST(ProgressBar, ShowsHowFarItIs) {
  EXPECT_EQ(progress_line(0, "x", 100), "[..............................]   0 %  x");
  EXPECT_EQ(progress_line(0.5, "x", 100), "[###############...............]  50 %  x");
  EXPECT_EQ(progress_line(2, "x", 100), "[##############################] 100 %  x");
}

TEST(ProgressBar, FitsTheTerminal) {
  EXPECT_EQ(progress_line(0.5, std::string(200, 'x'), 60).size(), 60U);
}

TEST(ProgressBar, WritesNothingWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    ProgressBar bar(true);
    bar.show(0.5, "half");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace sluice::app
