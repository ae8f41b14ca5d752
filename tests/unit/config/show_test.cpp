// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

namespace sluice::config {
namespace {

const std::string k_rich = R"([route market]
subscribe = "\x00\xff"
subscribe = ""
tuning = adaptive
[source feed]
bind = ipc://in
[generator g]
topics = a,"b,c"," d"
[sink edge]
bind = tcp://*:5
bind = ipc://out
[plugin p]
path = "/a # b"
args = "x \" y\n"
[tap t]
connect = tcp://h:5
[control]
bind = ipc://@c
)";

TEST(Show, CanBeLoadedAgain) {
  const LoadedConfig config = test::loaded(k_rich);
  const std::string text = show(config);
  const LoadedConfig again = test::loaded(text);
  EXPECT_TRUE(diff(config, again).empty()) << text;
  EXPECT_TRUE(diff(again, config).empty()) << text;
}

TEST(Show, EachSettingHasItsOrigin) {
  const std::string text = show(test::loaded(k_rich));
  EXPECT_NE(text.find("tuning = adaptive                       # t.ini:4\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("linger = 500ms                          # default\n"), std::string::npos);
  EXPECT_NE(text.find("bind = tcp://*:5                        # t.ini:10\n"), std::string::npos);
  EXPECT_NE(text.find("bind = ipc:///run/t/out                 # t.ini:11\n"), std::string::npos);
  EXPECT_NE(text.find("# connect is not set\n"), std::string::npos);
}

TEST(Show, RowsHaveEverySetting) {
  const LoadedConfig config = test::loaded(k_rich);
  std::size_t expected = 0;
  for (const Section& section : config.sections) expected += settings(section.kind).size();
  const auto all = rows(config);
  EXPECT_EQ(all.size(), expected);
  EXPECT_EQ(all.front().path, "route.market.inbound_poll_rate");
  EXPECT_EQ(all.front().values, std::vector<std::string>{"1000"});
  EXPECT_EQ(all.front().change, "live");
}

TEST(Show, SecretsAreHidden) {
  static const Setting secret{.kind = Kind::control, .key = "type", .secret = true, .help = "x"};
  LoadedConfig config = test::loaded(k_rich);
  for (Section& section : config.sections) {
    for (Value& value : section.values) {
      if (section.kind != Kind::control || value.setting->key != "type") continue;
      value.setting = &secret;
      value.items = {{std::string("hunter2"), {}}};
    }
  }
  EXPECT_EQ(show(config).find("hunter2"), std::string::npos);
  for (const Row& row : rows(config)) {
    for (const std::string& value : row.values) EXPECT_NE(value, "hunter2");
  }
}

}  // namespace
}  // namespace sluice::config
