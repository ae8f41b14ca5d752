// SPDX-License-Identifier: Apache-2.0
#include "app/terminal/text_table.hpp"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

TEST(TextTable, AlignsTextLeftAndNumbersRight) {
  TextTable table({"NAME", "COUNT", "STATE"});
  EXPECT_TRUE(table.empty());
  table.add({"a", "1", "up"});
  table.add({"long-name", "1,234", "-"});
  EXPECT_EQ(table.text(2),
            "  NAME       COUNT  STATE\n"
            "  a              1  up\n"
            "  long-name  1,234  -\n");
}

TEST(TextTable, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(18446744073709551615ULL), "18,446,744,073,709,551,615");
  EXPECT_EQ(fixed(1.005, 1), "1.0");
}

}  // namespace
}  // namespace sluice::app
