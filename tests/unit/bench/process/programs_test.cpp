// SPDX-License-Identifier: Apache-2.0
#include "process/programs.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sluice::bench {
namespace {

TEST(Programs, AreFoundInTheFoldersGivenAndInThePath) {
  EXPECT_EQ(find_program("sh", {"/nowhere", "/bin"}), "/bin/sh");
  EXPECT_FALSE(find_program("sh", {}).empty());
  EXPECT_TRUE(find_program("no-program-has-this-name", {"/bin"}).empty());
}

TEST(Programs, AMissingSidecarIsNamed) {
  PathOptions options;
  options.sidecar = "/nowhere/sluice";
  try {
    static_cast<void>(make_program("sidecar", options, "/nowhere"));
    FAIL();
  } catch (const Unavailable& error) {
    EXPECT_NE(std::string(error.what()).find(options.sidecar), std::string::npos);
  }
  EXPECT_THROW(static_cast<void>(make_program("mosquito", options, "/nowhere")), Unavailable);
}

TEST(Programs, TheSidecarWaitsForAFullSubscriberAsTheOthersDo) {
  const Program program{{}, "tcp://127.0.0.1:1", "tcp://127.0.0.1:2", Wire::zmtp};
  const auto text = sidecar_settings(program, PathOptions{}, "native");
  for (const char* line : {"bind = tcp://127.0.0.1:1\n", "bind = tcp://127.0.0.1:2\n",
                           "engine = native\n", "on_full = block\n", "recv_hwm = 10000\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

TEST(Programs, StockGetsTwoEndpointsThatDiffer) {
  const auto program = make_program("stock", PathOptions{}, "/nowhere");
  ASSERT_EQ(program.command.size(), 7U);
  EXPECT_EQ(program.command[2], program.front);
  EXPECT_EQ(program.command[3], program.back);
  EXPECT_NE(program.front, program.back);
}

}  // namespace
}  // namespace sluice::bench
