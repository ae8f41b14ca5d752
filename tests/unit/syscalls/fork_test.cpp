// SPDX-License-Identifier: Apache-2.0
#include "deltas.hpp"
#include "syscalls/role.hpp"

#include <gtest/gtest.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice::test {
namespace {

int status_of(pid_t child) {
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

TEST(SyscallCounts, AForkedChildStartsFromNothing) {
  for (int i = 0; i < 10; ++i) {
    ::getpid();
  }
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (int i = 0; i < 3; ++i) {
      ::getpid();
    }
    ::_exit(counts_now().other == SyscallTable{{"getpid", 3}} ? 0 : 1);
  }
  EXPECT_EQ(status_of(child), 0);
  EXPECT_GE(counts_now().other.at("getpid"), 10U);
}

TEST(SyscallCounts, AForkedChildKeepsItsRole) {
  const syscalls::ForwardingScope scope;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::getppid();
    ::getpid();
    const auto counts = counts_now();
    ::_exit(counts.forwarding == SyscallTable{{"getpid", 1}} && counts.other.empty() ? 0 : 1);
  }
  EXPECT_EQ(status_of(child), 0);
}

TEST(SyscallCounts, SpawnedProgramsDoNotDisturb) {
  const auto calls = calls_of([] {
    char name[] = "/bin/true";
    char* arguments[] = {name, nullptr};
    pid_t child = 0;
    ASSERT_EQ(::posix_spawn(&child, name, nullptr, nullptr, arguments, nullptr), 0);
    ASSERT_EQ(status_of(child), 0);
    ::getpid();
  });
  EXPECT_EQ(calls.other.at("getpid"), 1U);
}

}  // namespace
}  // namespace sluice::test
