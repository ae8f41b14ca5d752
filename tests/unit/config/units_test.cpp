// SPDX-License-Identifier: Apache-2.0
#include "config/units.hpp"

#include "config/value.hpp"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

template <typename Parse>
std::string failure(Parse parse, std::string_view text) {
  try {
    static_cast<void>(parse(text));
  } catch (const BadValue& bad) {
    return bad.what();
  }
  return {};
}

TEST(Units, Counts) {
  EXPECT_EQ(parse_count("0"), 0);
  EXPECT_EQ(parse_count("10k"), 10'000);
  EXPECT_EQ(parse_count("1M"), 1'000'000);
  EXPECT_EQ(parse_count("1.5k"), 1'500);
  EXPECT_EQ(parse_count("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(failure(parse_count, "9223372036854775808"), "too large");
  EXPECT_EQ(failure(parse_count, "10000000000G"), "too large");
  EXPECT_EQ(failure(parse_count, "-1"), "not a number");
  EXPECT_EQ(failure(parse_count, "abc"), "not a number");
  EXPECT_EQ(failure(parse_count, ""), "not a number");
  EXPECT_EQ(failure(parse_count, "1."), "digits are missing behind the point");
  EXPECT_EQ(failure(parse_count, "1.5"), "not a whole number of the smallest unit");
  EXPECT_EQ(failure(parse_count, "10 apples"),
            "has no unit that is known here (as in 1000, 10k, 1M)");
}

TEST(Units, Durations) {
  EXPECT_EQ(parse_duration("0"), 0);
  EXPECT_EQ(parse_duration("500us"), 500'000);
  EXPECT_EQ(parse_duration("1ms"), 1'000'000);
  EXPECT_EQ(parse_duration("2 s"), 2'000'000'000);
  EXPECT_EQ(parse_duration("1.5s"), 1'500'000'000);
  EXPECT_EQ(parse_duration("1h"), 3'600'000'000'000);
  EXPECT_EQ(failure(parse_duration, "5"), "needs a unit, as in 500us, 1ms, 2s");
  EXPECT_EQ(format_duration(0), "0");
  EXPECT_EQ(format_duration(1'500'000), "1500us");
  EXPECT_EQ(format_duration(2'000'000'000), "2s");
}

TEST(Units, Sizes) {
  EXPECT_EQ(parse_size("100"), 100);
  EXPECT_EQ(parse_size("100B"), 100);
  EXPECT_EQ(parse_size("64k"), 65'536);
  EXPECT_EQ(parse_size("64KiB"), 65'536);
  EXPECT_EQ(parse_size("64kB"), 64'000);
  EXPECT_EQ(parse_size("8MiB"), 8'388'608);
  EXPECT_EQ(format_size(65'536), "64KiB");
  EXPECT_EQ(format_size(100), "100");
  EXPECT_EQ(format_size(0), "0");
}

TEST(Units, Modes) {
  EXPECT_EQ(parse_mode("0660"), 0660);
  EXPECT_EQ(parse_mode("600"), 0600);
  EXPECT_EQ(failure(parse_mode, "0680"), "not octal permissions, as in 0660");
  EXPECT_EQ(format_mode(0660), "0660");
}

TEST(Units, Switches) {
  for (const char* text : {"yes", "true", "on", "1"}) EXPECT_EQ(parse_boolean(text), 1);
  for (const char* text : {"no", "false", "off", "0"}) EXPECT_EQ(parse_boolean(text), 0);
  EXPECT_EQ(failure(parse_boolean, "maybe"), "not a switch");
}

}  // namespace
}  // namespace sluice::config
