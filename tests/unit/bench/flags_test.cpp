// SPDX-License-Identifier: Apache-2.0
#include "flags.hpp"

#include "families/family.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace sluice::bench {
namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (auto& word : words) out.push_back(word.data());
  return out;
}

TEST(Flags, TakesItsOwnAndLeavesTheRest) {
  std::vector<std::string> words{"bench",     "--seconds=0.5",  "--benchmark_filter=x",
                                 "--reverse", "--receiver=zmq", "--max_command_delay_us=250"};
  auto arguments = pointers(words);
  const Flags flags = take_flags(arguments);
  EXPECT_EQ(flags.duration(), std::chrono::milliseconds(500));
  EXPECT_TRUE(flags.reverse);
  EXPECT_EQ(flags.receiver, "zmq");
  EXPECT_EQ(flags.path_options().max_command_delay, std::chrono::microseconds(250));
  ASSERT_EQ(arguments.size(), 2U);
  EXPECT_STREQ(arguments[1], "--benchmark_filter=x");
}

TEST(Flags, AProxyThatRunsAlreadyIsNamedCompletely) {
  Flags flags;
  EXPECT_TRUE(external_cases(flags).empty());
  flags.front = "ipc://@in";
  flags.back = "ipc://@out";
  EXPECT_THROW(static_cast<void>(external_cases(flags)), std::invalid_argument);
  flags.process = 1;
  EXPECT_EQ(external_cases(flags).size(), 3U);
  EXPECT_EQ(flags.path_options().back, "ipc://@out");
}

TEST(Flags, RefusesABadValueByName) {
  for (const char* word : {"--seconds=soon", "--receiver=udp", "--hwm"}) {
    std::vector<std::string> words{"bench", word};
    auto arguments = pointers(words);
    try {
      static_cast<void>(take_flags(arguments));
      FAIL() << word;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace sluice::bench
