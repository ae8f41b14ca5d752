// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

namespace sluice::config {
namespace {

using test::k_small;

TEST(Typed, FlagsWinOverTheEnvironmentThatOverTheFile) {
  Sources from = test::sources("[route market]\nlinger = 1s\n" + k_small.substr(15));
  EXPECT_EQ(test::origin(test::loaded(from), "route.market.linger"), "t.ini:2");
  from.env = {{"SLUICE_ROUTE_MARKET_LINGER", "2s"}};
  LoadedConfig config = test::loaded(from);
  EXPECT_EQ(config.routes.at(0).linger, std::chrono::seconds{2});
  EXPECT_EQ(test::origin(config, "route.market.linger"), "env SLUICE_ROUTE_MARKET_LINGER");
  from.sets = {"route.market.linger=3s"};
  config = test::loaded(from);
  EXPECT_EQ(config.routes.at(0).linger, std::chrono::seconds{3});
  EXPECT_EQ(test::origin(config, "route.market.linger"), "flag --set route.market.linger=3s");
  EXPECT_EQ(test::origin(config, "route.market.max_topic"), "default");
}

TEST(Typed, AStrongerOriginReplacesAllValuesOfARepeatableKey) {
  Sources from = test::sources(k_small + "bind = ipc://two\n");
  from.sets = {"sink.edge.bind=ipc:///a", "sink.edge.bind=ipc:///b"};
  EXPECT_EQ(test::get(test::loaded(from), "sink.edge.bind"), "ipc:///a ipc:///b");
}

TEST(Typed, AnOverriddenValueIsCheckedToo) {
  Sources from = test::sources(k_small + "send_hwm = many\n");
  from.sets = {"sink.edge.send_hwm=5"};
  EXPECT_EQ(test::errors_of(from),
            "t.ini:6: send_hwm = many: not a number; allowed: 0 to 1000000000 or unlimited\n");
}

TEST(Typed, OfSeveralFlagsTheLastCounts) {
  Sources from = test::sources(k_small);
  from.sets = {"linger=1s", "linger=2s"};
  EXPECT_EQ(test::get(test::loaded(from), "linger"), "2s");
}

}  // namespace
}  // namespace sluice::config
