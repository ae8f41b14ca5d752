// SPDX-License-Identifier: Apache-2.0
#include "core/control/control_reply.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace sluice::core {
namespace {

TEST(ControlReply, EmptyIsOneEmptyFrame) {
  EXPECT_EQ(empty_reply(), Reply{""});
}

TEST(ControlReply, OkAndErr) {
  EXPECT_EQ(ok_reply(""), Reply{"OK"});
  EXPECT_EQ(ok_reply("1000"), Reply{"OK 1000"});
  EXPECT_EQ(error_reply("GET", "no key x"), Reply{"ERR GET no key x"});
  EXPECT_EQ(error_reply("GET", ""), Reply{"ERR GET"});
}

TEST(ControlReply, ErrorsArePrintable) {
  EXPECT_EQ(error_reply("GET", "a\n\xff"), Reply{"ERR GET a\\x0a\\xff"});
}

TEST(ControlReply, StatisticsAreEightNativeIntegers) {
  const StatisticsValues values{1, 2, 3, 4, 5, 6, 7, std::numeric_limits<std::uint64_t>::max()};
  const Reply reply = statistics_reply(values);
  ASSERT_EQ(reply.size(), 8U);
  for (std::size_t i = 0; i < reply.size(); ++i) {
    ASSERT_EQ(reply[i].size(), sizeof(std::uint64_t));
    std::uint64_t value = 0;
    std::memcpy(&value, reply[i].data(), sizeof value);
    EXPECT_EQ(value, values[i]);
  }
}

}  // namespace
}  // namespace sluice::core
