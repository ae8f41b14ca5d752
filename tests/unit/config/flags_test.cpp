// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

namespace sluice::config {
namespace {

using test::k_small;

std::string with(const std::string& set) {
  Sources from = test::sources(k_small);
  from.sets = {set};
  return test::errors_of(from);
}

TEST(Flags, PathsMayBeShort) {
  EXPECT_EQ(with("linger=1s"), "");
  EXPECT_EQ(with("market.linger=1s"), "");
  EXPECT_EQ(with("route.linger=1s"), "");
  EXPECT_EQ(with("control.bind=ipc:///c"), "");
}

TEST(Flags, ErrorsNameTheFlag) {
  EXPECT_EQ(with("linger"), "flag --set linger: write --set section.key=value\n");
  EXPECT_EQ(with("route.market.lingr=1s"),
            "flag --set route.market.lingr=1s: no setting 'route.market.lingr'; did you mean "
            "route.market.linger?\n");
  EXPECT_EQ(
      with("mode=0600"),
      "flag --set mode=0600: 'mode' may mean source.feed.mode or sink.edge.mode; write one of "
      "them\n");
  EXPECT_EQ(with("linger=never"),
            "flag --set linger=never: linger = never: not a number; allowed: 0 to 3600s\n");
}

TEST(Flags, O_01_FlagsAloneMakeTheSameAsAFile) {
  Sources from;
  from.sets = {"route.market.linger=1s", "source.feed.bind=tcp://127.0.0.1:7001",
               "sink.edge.bind=tcp://127.0.0.1:7002", R"(route.market.subscribe="\x00")"};
  const LoadedConfig flags = test::loaded(from);
  const LoadedConfig file =
      test::loaded("[route market]\nlinger=1s\nsubscribe = \"\\x00\"\n" + k_small.substr(15));
  EXPECT_TRUE(diff(file, flags).empty());
  EXPECT_TRUE(diff(flags, file).empty());
}

TEST(Flags, AMisspeltNameIsSeen) {
  EXPECT_EQ(with("sink.egde.send_hwm=5"),
            "flag --set sink.egde.send_hwm=5: [sink egde] needs bind = or connect =; did you mean "
            "edge?\n");
}

}  // namespace
}  // namespace sluice::config
