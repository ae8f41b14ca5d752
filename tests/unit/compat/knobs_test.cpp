// SPDX-License-Identifier: Apache-2.0
#include "compat/knobs.hpp"

#include <gtest/gtest.h>

namespace sluice::compat {
namespace {

using namespace std::chrono_literals;

TEST(Knobs, SetsEachOne) {
  Tuning tuning;
  EXPECT_FALSE(set_knob(tuning, "inbound_poll_rate", "10k"));
  EXPECT_FALSE(set_knob(tuning, "max_command_delay", "250us"));
  EXPECT_FALSE(set_knob(tuning, "coalesce_delay", "2ms"));
  EXPECT_EQ(tuning.inbound_poll_rate, 10'000U);
  EXPECT_EQ(tuning.max_command_delay, 250us);
  EXPECT_EQ(tuning.coalesce_delay, 2ms);
  EXPECT_EQ(get_knob(tuning, "inbound_poll_rate"), "10000");
  EXPECT_EQ(get_knob(tuning, "max_command_delay"), "250us");
  EXPECT_EQ(get_knob(tuning, "coalesce_delay"), "2ms");
  EXPECT_FALSE(set_knob(tuning, "max_command_delay", "0"));
  EXPECT_EQ(get_knob(tuning, "max_command_delay"), "0");
  EXPECT_FALSE(set_knob(tuning, "max_command_delay", "10s"));
  EXPECT_EQ(get_knob(tuning, "max_command_delay"), "10s");
  EXPECT_FALSE(set_knob(tuning, "coalesce_delay", "1500ns"));
  EXPECT_EQ(get_knob(tuning, "coalesce_delay"), "1500ns");
}

TEST(Knobs, RefusesAndChangesNothing) {
  Tuning tuning;
  for (const char* value :
       {"", "x", "-1", "0", "1.5", "2000M", "99999999999999999999", "1 k", "5G"}) {
    EXPECT_TRUE(set_knob(tuning, "inbound_poll_rate", value)) << value;
  }
  for (const char* value : {"", "1", "ms", "101ms", "1d", "-1ms", "18446744073709551615s"}) {
    EXPECT_TRUE(set_knob(tuning, "coalesce_delay", value)) << value;
  }
  EXPECT_TRUE(set_knob(tuning, "max_command_delay", "11s"));
  EXPECT_TRUE(set_knob(tuning, "linger", "1s"));
  EXPECT_EQ(tuning, Tuning{});
  EXPECT_FALSE(get_knob(tuning, "linger"));
}

TEST(Knobs, SaysWhatIsWrong) {
  Tuning tuning;
  EXPECT_EQ(set_knob(tuning, "coalesce_delay", "soon"),
            "coalesce_delay: \"soon\" is not a time, like 500us or 1ms");
}

TEST(Knobs, Bytes) {
  EXPECT_EQ(parse_bytes("64"), 64U);
  EXPECT_EQ(parse_bytes("4k"), 4096U);
  EXPECT_EQ(parse_bytes("4KiB"), 4096U);
  EXPECT_EQ(parse_bytes("1kB"), 1000U);
  EXPECT_FALSE(parse_bytes("many"));
}

}  // namespace
}  // namespace sluice::compat
