// SPDX-License-Identifier: Apache-2.0
#include "app/process/process_setup.hpp"

#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <sys/resource.h>
#include <unistd.h>

namespace sluice::app {
namespace {

TEST(ProcessSetup, RaisesTheSoftLimitToTheHardOne) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(raise_descriptor_limit(), limit.rlim_max);
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(limit.rlim_cur, limit.rlim_max);
}

TEST(PidFile, HoldsTheNumberAndGoesAway) {
  const test::ScratchDirectory scratch;
  const std::string path = scratch / "pid";
  {
    const PidFile file(path);
    std::ifstream in(path);
    long pid = 0;
    in >> pid;
    EXPECT_EQ(pid, ::getpid());
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(PidFile, LeavesAnotherOnesAlone) {
  const test::ScratchDirectory scratch;
  const std::string path = scratch / "pid";
  {
    const PidFile file(path);
    std::filesystem::rename(path, scratch / "moved");
    static_cast<void>(scratch.write("pid", "1\n"));
  }
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST(PidFile, SaysWhichPathCannotBeWritten) {
  EXPECT_THROW(PidFile("/nonexistent/pid"), std::runtime_error);
  const PidFile none("");
}

}  // namespace
}  // namespace sluice::app
