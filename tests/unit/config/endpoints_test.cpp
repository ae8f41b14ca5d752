// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

namespace sluice::config {
namespace {

using test::errors_of;
using test::k_small;

TEST(Endpoints, SameAddressTwice) {
  EXPECT_EQ(errors_of(k_small + "bind = tcp://*:7001\n"),
            "t.ini:6: tcp://*:7001 is bound already, as tcp://127.0.0.1:7001 of [source feed] at "
            "t.ini:3\n");
  EXPECT_EQ(
      errors_of(k_small + "[control]\nbind = ipc://a\nbind = ipc:///run/t/a\n"),
      "t.ini:8: ipc:///run/t/a is bound already, as ipc:///run/t/a of [control] at t.ini:7\n");
}

TEST(Endpoints, E_03_TcpControlNeedsTheSwitch) {
  EXPECT_EQ(errors_of(k_small + "[control]\nbind = tcp://127.0.0.1:7003\n"),
            "t.ini:7: tcp://127.0.0.1:7003: whoever reaches a tcp control port can stop the proxy; "
            "use ipc://path, or CURVE (curve_secret_file and curve_allow_file), or set "
            "allow_plain_tcp = yes\n");
  const LoadedConfig config =
      test::loaded(k_small + "[control]\nallow_plain_tcp = yes\nbind = tcp://127.0.0.1:7003\n");
  ASSERT_EQ(config.warnings.size(), 1U);
  EXPECT_EQ(config.warnings[0].to_string(),
            "t.ini:8: whoever reaches tcp://127.0.0.1:7003 can steer and stop this proxy");
}

TEST(Endpoints, ALoopIsRefused) {
  EXPECT_EQ(errors_of("[source s]\nconnect = tcp://127.0.0.1:5\n[sink k]\nbind = tcp://*:5\n"),
            "t.ini:2: tcp://127.0.0.1:5 is [sink k] of the same route: its output would come in "
            "again\n");
  EXPECT_EQ(errors_of("[source s]\nconnect = tcp://other:5\n[sink k]\nbind = tcp://*:5\n"), "");
  EXPECT_EQ(errors_of("[route a]\n[route b]\n[source s]\nroute = b\nconnect = ipc:///x\n"
                      "[sink k]\nroute = a\nbind = ipc:///x\n[sink l]\nroute=b\nbind = ipc:///y\n"),
            "");
}

TEST(Endpoints, N_08_WarnsOfPortsThatTheSystemHandsOut) {
  const LoadedConfig config = test::loaded(
      "[source s]\nconnect = tcp://127.0.0.1:40000\nconnect = tcp://127.0.0.1:999\n"
      "connect = tcp://10.0.0.1:40000\n[sink k]\nbind = tcp://*:5\n");
  ASSERT_EQ(config.warnings.size(), 1U);
  EXPECT_TRUE(config.warnings[0].to_string().starts_with(
      "t.ini:2: tcp://127.0.0.1:40000 lies among the ports that the system hands out ("));
}

TEST(Endpoints, RelativePathsAreShownAbsolute) {
  const LoadedConfig config = test::loaded("[sink k]\nbind = ipc://x.sock\n");
  EXPECT_EQ(config.routes.at(0).sinks.at(0).bind.at(0), "ipc:///run/t/x.sock");
  EXPECT_EQ(test::get(config, "sink.k.bind"), "ipc:///run/t/x.sock");
}

}  // namespace
}  // namespace sluice::config
