// SPDX-License-Identifier: Apache-2.0
#include "app/admin/settings_json.hpp"

#include "config/config.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sluice::app {
namespace {

using nlohmann::json;

TEST(SettingsJson, EverySettingWithWhatTheTableSays) {
  config::Sources sources;
  sources.path = "x.ini";
  sources.use_text = true;
  sources.text =
      "[route market]\ncoalesce_delay = 1ms\n[source s]\nbind = ipc:///tmp/s\nbind = ipc:///tmp/t\n"
      "[sink edge]\nengine = native\nbind = tcp://127.0.0.1:*\n";
  const auto config = std::get<config::LoadedConfig>(config::load(sources));
  const json all = json::parse(settings_json(config, false));
  EXPECT_EQ(all["changes"], false);
  std::size_t settings = 0;
  for (const config::Section& section : config.sections) settings += section.values.size();
  EXPECT_EQ(all["settings"].size(), settings);
  const auto row = [&all](const std::string& path) {
    for (const json& one : all["settings"]) {
      if (one["path"] == path) return one;
    }
    return json();
  };
  const json delay = row("route.market.coalesce_delay");
  EXPECT_EQ(delay["values"], json::array({"1ms"}));
  EXPECT_EQ(delay["origin"], "x.ini:2");
  EXPECT_EQ(delay["change"], "live");
  EXPECT_EQ(delay["live"], true);
  EXPECT_EQ(delay["type"], "duration");
  EXPECT_EQ(delay["max"], 100'000'000);
  EXPECT_EQ(row("source.s.bind")["values"].size(), 2U);
  EXPECT_EQ(row("source.s.bind")["live"], false);
  EXPECT_EQ(row("sink.edge.on_full")["choices"], json::array({"drop", "block", "disconnect"}));
  EXPECT_FALSE(row("sink.edge.on_full")["help"].get<std::string>().empty());
}

}  // namespace
}  // namespace sluice::app
