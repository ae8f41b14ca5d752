// SPDX-License-Identifier: Apache-2.0
#include "app/settings/live_settings.hpp"

#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

namespace sluice::app {
namespace {

constexpr const char* k_file =
    "[route market]\nlinger = 300ms\n[source f]\nbind = ipc:///tmp/f\n"
    "[sink s]\nbind = tcp://127.0.0.1:*\n";

class LiveSettingsTest : public testing::Test {
 protected:
  LiveSettingsTest() { write(k_file); }

  void write(const std::string& text) { path = scratch.write("x.ini", text).string(); }
  LiveSettings& settings() {
    if (!m_settings) {
      config::Sources sources;
      sources.path = path;
      auto loaded = std::get<config::LoadedConfig>(config::load(sources));
      m_settings.emplace(sources, loaded, [this](const config::LoadedConfig& config) {
        if (refuse) throw std::runtime_error("the route says no");
        applied.push_back(config.routes[0].tuning.inbound_poll_rate);
      });
    }
    return *m_settings;
  }

  test::ScratchDirectory scratch;
  std::string path;
  bool refuse = false;
  std::vector<std::uint32_t> applied;

 private:
  std::optional<LiveSettings> m_settings;
};

TEST_F(LiveSettingsTest, GetTakesLongAndShortNames) {
  EXPECT_EQ(settings().get("route.market.linger").text, "300ms");
  EXPECT_EQ(settings().get("linger").text, "300ms");
  const auto unknown = settings().get("inbound_pol_rate");
  EXPECT_FALSE(unknown.ok());
  EXPECT_NE(unknown.text.find("inbound_poll_rate"), std::string::npos);
}

TEST_F(LiveSettingsTest, SetIsAppliedAndEchoed) {
  EXPECT_TRUE(settings().set("inbound_poll_rate", "2k").ok());
  EXPECT_EQ(applied, std::vector<std::uint32_t>{2000});
  EXPECT_EQ(settings().get("inbound_poll_rate").text, "2000");
}

TEST_F(LiveSettingsTest, WhatIsWrongOrNotLiveChangesNothing) {
  for (const auto& [key, value] : {std::pair{"inbound_poll_rate", "0"},
                                   {"inbound_poll_rate", ""},
                                   {"max_topic", "1k"},
                                   {"nosuch", "1"}}) {
    EXPECT_FALSE(settings().set(key, value).ok()) << key;
  }
  EXPECT_TRUE(applied.empty());
  EXPECT_EQ(settings().get("linger").text, "300ms");
}

TEST_F(LiveSettingsTest, ARouteThatRefusesLeavesTheOldValue) {
  static_cast<void>(settings());
  refuse = true;
  const auto outcome = settings().set("inbound_poll_rate", "5");
  EXPECT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.text, "the route says no");
  EXPECT_EQ(settings().get("inbound_poll_rate").text, "1000");
}

TEST_F(LiveSettingsTest, ReloadMakesTheFileTrueAndNamesDiscardedSets) {
  ASSERT_TRUE(settings().set("coalesce_delay", "1ms").ok());
  write(std::string(k_file) + "[log]\nlevel = debug\n");
  const auto outcome = settings().reload();
  EXPECT_TRUE(outcome.ok()) << outcome.text;
  EXPECT_NE(outcome.text.find("log.level"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("route.market.coalesce_delay"), std::string::npos) << outcome.text;
  EXPECT_EQ(settings().get("coalesce_delay").text, "0");
  EXPECT_EQ(settings().get("log.level").text, "debug");
}

TEST_F(LiveSettingsTest, ReloadRefusesByNameWithBothValuesAndTheLine) {
  static_cast<void>(settings());
  write(
      "[route market]\nlinger = 300ms\nmax_topic = 1k\ninbound_poll_rate = 7\n[source f]\nbind = "
      "ipc:///tmp/f\n"
      "[sink s]\nbind = tcp://127.0.0.1:*\n");
  const auto outcome = settings().reload();
  EXPECT_FALSE(outcome.ok());
  for (const char* part : {"x.ini:3", "route.market.max_topic", "4KiB", "1KiB"}) {
    EXPECT_NE(outcome.text.find(part), std::string::npos) << part << " in " << outcome.text;
  }
  EXPECT_TRUE(applied.empty()) << "all or nothing";
  EXPECT_EQ(settings().get("inbound_poll_rate").text, "1000");
}

TEST_F(LiveSettingsTest, ReloadsAreCountedWatchedAndRemembered) {
  std::vector<std::string> seen;
  settings().watch_reloads({[&] { seen.emplace_back("begins"); },
                            [&](const core::Outcome& outcome, const auto& warnings) {
                              seen.push_back(outcome.ok() ? "ok" : "failed");
                              EXPECT_EQ(warnings.size(), outcome.ok() ? 1U : 0U);
                            }});
  EXPECT_FALSE(settings().reloads().last_succeeded);
  const double start = settings().reloads().last_success_time;
  EXPECT_GT(start, 0);
  write("[route market]\nlinger = never\n");
  EXPECT_FALSE(settings().reload().ok());
  auto status = settings().reloads();
  EXPECT_EQ(status.last_succeeded, std::optional(false));
  EXPECT_EQ(status.failures, 1U);
  EXPECT_NE(status.last_error.find("x.ini:2"), std::string::npos);
  EXPECT_EQ(status.last_success_time, start);
  write(std::string(k_file) + "block_timeout = 1s\n");
  EXPECT_TRUE(settings().reload().ok());
  status = settings().reloads();
  EXPECT_EQ(status.last_succeeded, std::optional(true));
  EXPECT_EQ(status.successes, 1U);
  EXPECT_EQ(status.last_error, "");
  EXPECT_GE(status.last_success_time, start);
  EXPECT_EQ(seen, (std::vector<std::string>{"begins", "failed", "begins", "ok"}));
}

TEST_F(LiveSettingsTest, ReloadOfAWrongFileSaysWhere) {
  static_cast<void>(settings());
  write("[route market]\nlinger = never\n");
  EXPECT_NE(settings().reload().text.find("x.ini:2"), std::string::npos);
}

}  // namespace
}  // namespace sluice::app
