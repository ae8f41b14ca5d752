// SPDX-License-Identifier: Apache-2.0
#include "config/table.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sluice::config {
namespace {

TEST(Table, KeysAreUniqueGroupedAndExplained) {
  std::set<std::pair<Kind, std::string_view>> seen;
  std::size_t counted = 0;
  for (const Kind kind : kinds()) counted += settings(kind).size();
  EXPECT_EQ(counted, settings().size()) << "the settings of a kind stand together";
  for (const Setting& setting : settings()) {
    EXPECT_TRUE(seen.emplace(setting.kind, setting.key).second) << setting.key;
    EXPECT_FALSE(setting.help.empty()) << setting.key;
    EXPECT_EQ(setting.help.find('\n'), std::string_view::npos) << setting.key;
    EXPECT_EQ(find_setting(setting.kind, setting.key), &setting);
    EXPECT_EQ(setting.key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos);
  }
}

TEST(Table, KindsHaveNames) {
  for (const Kind kind : kinds()) {
    ASSERT_NE(find_kind(to_string(kind)), nullptr);
    EXPECT_EQ(*find_kind(to_string(kind)), kind);
  }
  EXPECT_EQ(find_kind("rout"), nullptr);
  EXPECT_TRUE(is_single(Kind::control));
  EXPECT_FALSE(is_single(Kind::tap));
}

TEST(Table, LiveAreTuningLingerOnFullAndTheLogLevel) {
  std::set<std::string> live;
  for (const Setting& setting : settings()) {
    if (setting.change == Change::live) live.emplace(setting.key);
  }
  EXPECT_EQ(live,
            (std::set<std::string>{"inbound_poll_rate", "max_command_delay", "coalesce_delay",
                                   "tuning", "latency_budget", "linger", "on_full", "level"}));
}

TEST(Table, Ranges) {
  EXPECT_EQ(range_text(*find_setting(Kind::route, "latency_budget")), "1us to 100ms");
  EXPECT_EQ(range_text(*find_setting(Kind::source, "max_message_size")), "0 or more or unlimited");
  EXPECT_EQ(range_text(*find_setting(Kind::sink, "mode")), "0000 to 0777");
  EXPECT_EQ(range_text(*find_setting(Kind::control, "type")), "rep, router, pair, sub or pull");
}

}  // namespace
}  // namespace sluice::config
