// SPDX-License-Identifier: Apache-2.0
#include "core/subscription/subscriptions.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sluice::core {
namespace {

using Change = Subscriptions::Change;
using namespace std::string_view_literals;

TEST(Subscriptions, only_the_first_and_the_last_holder_change_the_union) {
  Subscriptions s{100};
  EXPECT_EQ(s.add(0, "a"), Change::first);
  EXPECT_EQ(s.add(1, "a"), Change::none);
  EXPECT_EQ(s.add(1, "a"), Change::none);  // a topic counts once per holder
  EXPECT_EQ(s.size(1), 1U);
  EXPECT_EQ(s.remove(0, "a"), Change::none);
  EXPECT_EQ(s.remove(1, "a"), Change::last);
  EXPECT_EQ(s.size(), 0U);
}

TEST(Subscriptions, removing_what_is_not_there_changes_nothing) {
  Subscriptions s{100};
  EXPECT_EQ(s.remove(0, "never"), Change::none);
  s.add(0, "a");
  EXPECT_EQ(s.remove(1, "a"), Change::none);
  EXPECT_EQ(s.size(), 1U);
}

TEST(Subscriptions, topics_are_byte_strings) {
  Subscriptions s{100};
  EXPECT_EQ(s.add(0, "\0"sv), Change::first);
  EXPECT_EQ(s.add(0, "\0\1"sv), Change::first);
  EXPECT_EQ(s.add(0, ""sv), Change::first);
  std::set<std::string> seen;
  s.for_each([&](std::string_view topic) { seen.emplace(topic); });
  EXPECT_EQ(seen, (std::set<std::string>{"", std::string{"\0"sv}, std::string{"\0\1"sv}}));
  EXPECT_EQ(s.remove(0, "\0"sv), Change::last);
  EXPECT_EQ(s.size(), 2U);
}

TEST(Subscriptions, refuses_over_the_limit_and_goes_on) {
  Subscriptions s{2};
  s.add(0, "a");
  s.add(0, "b");
  EXPECT_EQ(s.add(0, "c"), Change::refused);
  EXPECT_EQ(s.remove(0, "c"), Change::none);
  EXPECT_EQ(s.add(1, "a"), Change::none);
  s.remove(0, "b");
  EXPECT_EQ(s.add(0, "c"), Change::first);
}

TEST(Subscriptions, AHolderThatGoesTakesWhatOnlyItHad) {
  Subscriptions topics{100};
  topics.add(1, "only");
  topics.add(1, "both");
  topics.add(2, "both");
  std::vector<std::string> gone;
  topics.remove_all(1, [&gone](std::string_view topic) { gone.emplace_back(topic); });
  EXPECT_EQ(gone, std::vector<std::string>{"only"});
  EXPECT_EQ(topics.size(), 1U);
  EXPECT_EQ(topics.size(1), 0U);
  EXPECT_EQ(topics.size(2), 1U);
}

}  // namespace
}  // namespace sluice::core
