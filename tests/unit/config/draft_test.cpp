// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

namespace sluice::config {
namespace {

using test::errors_of;
using test::k_small;

TEST(Draft, UnknownKeysNameTheNearest) {
  EXPECT_EQ(errors_of(k_small + "send_hmw = 5\n"),
            "t.ini:6: unknown key 'send_hmw' in [sink]; did you mean send_hwm?\n");
  EXPECT_EQ(errors_of(k_small + "colour = red\n"), "t.ini:6: unknown key 'colour' in [sink]\n");
  EXPECT_EQ(errors_of(k_small + "lingr = 1s\n"),
            "t.ini:6: unknown key 'lingr' in [sink]; did you mean linger, a key of route?\n");
  EXPECT_EQ(errors_of(k_small + "pattern = even\n"),
            "t.ini:6: unknown key 'pattern' in [sink]; it is a key of generator\n");
}

TEST(Draft, UnknownSections) {
  EXPECT_EQ(errors_of(k_small + "[snik x]\nbind = y\n"),
            "t.ini:6: unknown section [snik]; did you mean sink?\n");
  EXPECT_EQ(
      errors_of(k_small + "[zebra]\n"),
      "t.ini:6: unknown section [zebra]; there are route, source, generator, plugin, sink, tap, "
      "control, admin, log or process\n");
}

TEST(Draft, Names) {
  EXPECT_EQ(errors_of(k_small + "[sink Edge]\n"),
            "t.ini:6: 'Edge' is no name: 1 to 32 of a to z, 0 to 9 and -\n");
  EXPECT_EQ(errors_of(k_small + "[log x]\n"), "t.ini:6: [log] has no name\n");
  EXPECT_EQ(errors_of(k_small + "[sink edge]\n"),
            "t.ini:6: [sink edge] is there already, at t.ini:4; give it another name\n");
  EXPECT_EQ(errors_of(k_small + "[log]\n[log]\n"), "t.ini:7: [log] is there already, at t.ini:6\n");
}

TEST(Draft, AKeyTwice) {
  EXPECT_EQ(errors_of(k_small + "send_hwm = 1\nsend_hwm = 2\n"),
            "t.ini:7: send_hwm is given twice, first at t.ini:6\n");
}

TEST(Draft, ShortFiles) {
  const LoadedConfig config =
      test::loaded("linger = 1s\n[source]\nbind = ipc://in\n[sink]\nbind = ipc://out\n");
  ASSERT_EQ(config.routes.size(), 1U);
  const sluice::RouteOptions& route = config.routes[0];
  EXPECT_EQ(route.name, "default");
  EXPECT_EQ(route.linger, std::chrono::seconds{1});
  EXPECT_EQ(route.sources.at(0).name, "source");
  EXPECT_EQ(route.sinks.at(0).name, "sink");
}

TEST(Draft, KeysBeforeAnySectionMeanTheOnlyRoute) {
  EXPECT_EQ(test::loaded("linger = 1s\n" + k_small).routes.at(0).linger, std::chrono::seconds{1});
  EXPECT_EQ(
      errors_of("linger = 1s\n[route a]\n[route b]\n"),
      "t.ini:1: linger stands before any section, and there are several routes; move it under "
      "one\n");
  EXPECT_EQ(
      errors_of("bind = tcp://*:5\n" + k_small),
      "t.ini:1: unknown key 'bind' in [route]; it is a key of source, sink, tap or control\n");
}

TEST(Draft, AllErrorsAreGivenInTheOrderOfTheFile) {
  EXPECT_EQ(errors_of("[route a]\nlinger = soon\nnope = 1\n[snk]\nx = 1\nhello\n"),
            "t.ini:2: linger = soon: not a number; allowed: 0 to 3600s\n"
            "t.ini:3: unknown key 'nope' in [route]\n"
            "t.ini:4: unknown section [snk]; did you mean sink?\n"
            "t.ini:6: 'hello' is neither [kind name] nor key = value\n");
}

}  // namespace
}  // namespace sluice::config
