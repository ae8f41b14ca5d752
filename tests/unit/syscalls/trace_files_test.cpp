// SPDX-License-Identifier: Apache-2.0
#include "syscalls/trace_files.hpp"

#include "child.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace sluice::test {
namespace {

std::vector<syscalls::TracedProcess> trace(const std::vector<std::string>& command, int result) {
  const ScratchDirectory scratch;
  Child program{command,
                {std::string{"LD_PRELOAD="} + PRELOADED, k_calm_sanitizers,
                 std::string{syscalls::trace_variable()} + "=" + scratch.path().string()}};
  EXPECT_EQ(program.wait(), result);
  return syscalls::read_trace(scratch.path().string());
}

std::uint64_t total(const SyscallTable& table) {
  std::uint64_t sum = 0;
  for (const auto& cell : table) {
    sum += cell.second;
  }
  return sum;
}

TEST(Trace, ForksAndProgramsStartedByExecAreReportedApart) {
  const auto processes =
      trace({"/bin/sh", "-c", "/bin/true; (:; exit 0); exec /bin/cat /dev/null"}, 0);
  ASSERT_GE(processes.size(), 3U);
  EXPECT_TRUE(processes.front().program.find("sh") != std::string::npos);
  EXPECT_TRUE(processes.back().program.ends_with("cat"));
  EXPECT_EQ(processes.front().pid, processes.back().pid);
  EXPECT_GE(processes.back().counts.other.at("read"), 1U);
  for (const auto& process : processes) {
    EXPECT_TRUE(process.counts.forwarding.empty());
    EXPECT_TRUE(process.counts.io.empty());
  }
}

TEST(Trace, CountsOfAKilledProgramAreThere) {
  const auto processes = trace({"/bin/sh", "-c", "echo; echo; kill -9 $$"}, -SIGKILL);
  ASSERT_EQ(processes.size(), 1U);
  EXPECT_EQ(processes.front().counts.other.at("write"), 2U);
}

TEST(Trace, UnderItAProgramWithItsOwnCounterIsCountedOnce) {
  const auto processes = trace({TRAFFIC, "100"}, 0);
  ASSERT_EQ(processes.size(), 1U);
  EXPECT_GE(total(processes.front().counts.forwarding), 10U);
  EXPECT_GE(total(processes.front().counts.io), 10U);
}

TEST(Trace, WhatIsNoTraceIsPassedOver) {
  const ScratchDirectory scratch;
  static_cast<void>(scratch.write("1-1.calls", "short"));
  static_cast<void>(scratch.write("2-2.calls", std::string(500'000, 'x')));
  EXPECT_TRUE(syscalls::read_trace(scratch.path().string()).empty());
  EXPECT_TRUE(syscalls::read_trace((scratch / "absent").string()).empty());
}

}  // namespace
}  // namespace sluice::test
