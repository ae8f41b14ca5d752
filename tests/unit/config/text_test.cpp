// SPDX-License-Identifier: Apache-2.0
#include "config/text.hpp"

#include <gtest/gtest.h>

#include <array>

namespace sluice::config {
namespace {

constexpr auto k_keys = std::to_array<std::string_view>(
    {"inbound_poll_rate", "max_command_delay", "linger", "bind", "send_hwm", "send_hwm_bytes"});

TEST(Text, NearestFindsSlips) {
  EXPECT_EQ(nearest("inbound_pol_rate", k_keys), "inbound_poll_rate");
  EXPECT_EQ(nearest("inbound-poll-rate", k_keys), "inbound_poll_rate");
  EXPECT_EQ(nearest("LINGER", k_keys), "linger");
  EXPECT_EQ(nearest("send_hmw", k_keys), "send_hwm");
  EXPECT_EQ(nearest("bnid", k_keys), "bind");
}

TEST(Text, NearestFindsParts) {
  EXPECT_EQ(nearest("poll_rate", k_keys), "inbound_poll_rate");
}

TEST(Text, NearestKeepsQuietAboutOthers) {
  EXPECT_EQ(nearest("colour", k_keys), "");
  EXPECT_EQ(nearest("", k_keys), "");
  EXPECT_EQ(nearest(std::string(5000, 'x'), k_keys), "");
}

TEST(Text, SplitQuoted) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(split_quoted("a, b ,c", ','), (Parts{"a", "b", "c"}));
  EXPECT_EQ(split_quoted("a,,", ','), (Parts{"a", "", ""}));
  EXPECT_EQ(split_quoted(R"("a,b",c)", ','), (Parts{R"("a,b")", "c"}));
  EXPECT_EQ(split_quoted(R"("a\",b",c)", ','), (Parts{R"("a\",b")", "c"}));
  EXPECT_EQ(split_quoted("  a \t b ", ' '), (Parts{"a", "b"}));
}

TEST(Text, JoinOr) {
  constexpr auto k_two = std::to_array<std::string_view>({"a", "b"});
  constexpr auto k_three = std::to_array<std::string_view>({"a", "b", "c"});
  EXPECT_EQ(join_or(k_two), "a or b");
  EXPECT_EQ(join_or(k_three), "a, b or c");
}

TEST(Text, Names) {
  EXPECT_TRUE(is_name("a-9"));
  EXPECT_TRUE(is_name(std::string(32, 'a')));
  EXPECT_FALSE(is_name(std::string(33, 'a')));
  EXPECT_FALSE(is_name(""));
  EXPECT_FALSE(is_name("A"));
  EXPECT_FALSE(is_name("a_b"));
  EXPECT_FALSE(is_name("a.b"));
}

}  // namespace
}  // namespace sluice::config
