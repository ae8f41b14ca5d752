// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

namespace sluice::config {
namespace {

using test::errors_of;

TEST(Build, SectionsFindTheirRoute) {
  const LoadedConfig config = test::loaded(
      "[route a]\n[route b]\n[sink x]\nroute = b\nbind = ipc:///x\n[sink y]\nroute = a\n"
      "bind = ipc:///y\n[generator g]\nroute = a\n[plugin p]\nroute = b\npath = /p.so\nargs = \"a "
      "b\"\n"
      "[tap t]\nroute = b\nbind = ipc:///t\ntype = pub\n");
  ASSERT_EQ(config.routes.size(), 2U);
  EXPECT_EQ(config.routes[0].sinks.at(0).name, "y");
  EXPECT_EQ(config.routes[1].sinks.at(0).name, "x");
  EXPECT_EQ(config.generators.at(0).route, "a");
  EXPECT_EQ(config.plugins.at(0).args, "a b");
  ASSERT_TRUE(config.routes[1].tap.has_value());
  EXPECT_EQ(config.routes[1].tap->type, sluice::TapType::pub);
}

TEST(Build, UnknownRoutes) {
  EXPECT_EQ(errors_of("[route market]\n[sink x]\nroute = markt\nbind = ipc:///x\n"
                      "[sink y]\nbind = ipc:///y\n"),
            "t.ini:3: no [route markt]; did you mean market?\n");
  EXPECT_EQ(errors_of("[sink x]\nroute = market\nbind = ipc:///x\n[sink y]\nbind = ipc:///y\n"),
            "t.ini:2: no [route market]; there is default\n");
}

TEST(Build, SeveralRoutesNeedAName) {
  EXPECT_EQ(errors_of("[route a]\n[route b]\n[sink x]\nroute = a\nbind = ipc:///x\n[sink z]\n"
                      "route = b\nbind = ipc:///z\n[source y]\nbind = ipc:///y\n"),
            "t.ini:9: [source y] needs route = a or b\n");
}

}  // namespace
}  // namespace sluice::config
