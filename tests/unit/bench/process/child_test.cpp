// SPDX-License-Identifier: Apache-2.0
#include "process/child.hpp"

#include "tcp.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace sluice::bench {
namespace {

using namespace std::chrono_literals;

TEST(Child, IsEndedWithItsFolder) {
  const auto folder = make_child_folder();
  pid_t pid = 0;
  {
    const Child child(folder, {"/bin/sh", "-c", "exec sleep 100"});
    pid = child.pid();
    EXPECT_EQ(kill(pid, 0), 0);
    EXPECT_TRUE(std::filesystem::exists(folder));
  }
  EXPECT_NE(kill(pid, 0), 0);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(Child, ThatEndsTooEarlyIsReportedWithItsLastWords) {
  Child child(make_child_folder(), {"/bin/sh", "-c", "echo first; echo no such port >&2"});
  try {
    child.wait_listening(free_tcp_endpoint(), 20s);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("no such port"), std::string::npos) << error.what();
  }
}

TEST(Child, CpuTimeAndMemoryOfAnotherProcess) {
  const Child child(make_child_folder(), {"/bin/sh", "-c", "while :; do :; done"});
  const auto begin = process_cpu_ns(child.pid());
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (process_cpu_ns(child.pid()) < begin + 1'000'000) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
  }
  const auto memory = process_memory(child.pid());
  EXPECT_GT(memory.resident, 0);
  EXPECT_GE(memory.peak, memory.resident);
  EXPECT_EQ(process_cpu_ns(0), 0);
}

}  // namespace
}  // namespace sluice::bench
