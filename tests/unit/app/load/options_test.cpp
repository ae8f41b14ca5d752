// SPDX-License-Identifier: Apache-2.0
#include "app/load/options.hpp"

#include "app/command/commands.hpp"

#include <gtest/gtest.h>

namespace sluice::app::load {
namespace {

Options parse(const std::vector<std::string>& words) {
  return parse_options(parse_arguments(load_spec(), words));
}

TEST(LoadOptions, HasDefaults) {
  const Options o = parse({"-p", "tcp://127.0.0.1:1"});
  EXPECT_EQ(o.publish.at(0).address, "tcp://127.0.0.1:1");
  EXPECT_FALSE(o.publish.at(0).bind);
  EXPECT_TRUE(o.subscribe.empty());
  EXPECT_EQ(o.rate, 10'000U);
  EXPECT_EQ(o.duration, std::chrono::seconds(10));
  EXPECT_FALSE(o.count);
}

TEST(LoadOptions, TakesUnitsTopicsAndBinds) {
  const Options o = parse({"-p",
                           "@tcp://*:1",
                           "-s",
                           ">ipc://x",
                           "--rate",
                           "50k",
                           "--size",
                           "1KiB",
                           "--topics",
                           "eur, usd,\"a b\"",
                           "--subscriptions",
                           "e",
                           "--count",
                           "1M",
                           "--on-full",
                           "drop",
                           "--frames",
                           "3",
                           "--burst",
                           "10"});
  EXPECT_TRUE(o.publish.at(0).bind);
  EXPECT_EQ(o.publish.at(0).address, "tcp://*:1");
  EXPECT_FALSE(o.subscribe.at(0).bind);
  EXPECT_EQ(o.subscribe.at(0).address, "ipc://x");
  EXPECT_EQ(o.rate, 50'000U);
  EXPECT_EQ(o.size, 1024U);
  EXPECT_EQ(o.topics, (std::vector<std::string>{"eur", "usd", "a b"}));
  EXPECT_EQ(o.subscriptions, std::vector<std::string>{"e"});
  EXPECT_EQ(o.count, 1'000'000U);
  EXPECT_TRUE(o.drop);
  EXPECT_EQ(o.frames, 3U);
  EXPECT_EQ(o.burst, 10U);
}

TEST(LoadOptions, RefusesWhatMakesNoSense) {
  const std::vector<std::string> base{"-p", "tcp://127.0.0.1:1"};
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--rate", "fast"},
                                               {"--rate", "-1"},
                                               {"--size", "23"},
                                               {"--publishers", "0"},
                                               {"--subscribers", "501"},
                                               {"--for", "1s", "--count", "1"},
                                               {"--json", "--csv"},
                                               {"--on-full", "wiat"},
                                               {"--topics", "a,b,a"},
                                               {"--topics", "a,a.."},
                                               {"--topics", "\"x"},
                                               {"--size", "24"},
                                               {"--publish", "udp://x"},
                                               {"--publish", "@tcp://*:2", "--publishers", "2"}}) {
    auto words = base;
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_THROW(static_cast<void>(parse(words)), UsageError) << more.front() << more.back();
  }
  EXPECT_THROW(static_cast<void>(parse({})), UsageError);
}

}  // namespace
}  // namespace sluice::app::load
