// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

#include <cstdio>
#include <cstdlib>

namespace sluice::config {
namespace {

TEST(Load, AFileThatCannotBeRead) {
  Sources from;
  from.path = "/nosuch/t.ini";
  EXPECT_EQ(test::errors_of(from), "/nosuch/t.ini: cannot be read: No such file or directory\n");
  from.path = "/";
  EXPECT_EQ(test::errors_of(from), "/: cannot be read: Is a directory\n");
}

TEST(Load, AnEndlessFileIsCutOff) {
  Sources from;
  from.path = "/dev/zero";
  EXPECT_EQ(test::errors_of(from), "/dev/zero: larger than 4 MiB\n");
}

TEST(Load, RelativePathsAreTakenFromTheCurrentFolder) {
  Sources from = test::sources("[sink x]\nbind = ipc://x\n");
  from.directory = {};
  const std::string bound = test::loaded(from).routes.at(0).sinks.at(0).bind.at(0);
  EXPECT_TRUE(bound.starts_with("ipc:///")) << bound;
}

TEST(Load, P_09_ABadKnobNamesPlaceKnobValueAndRange) {
  EXPECT_EQ(test::errors_of("[route market]\ninbound_poll_rate = -1\n"),
            "t.ini:2: inbound_poll_rate = -1: not a number; allowed: 1 to 1000000000\n");
}

}  // namespace
}  // namespace sluice::config
