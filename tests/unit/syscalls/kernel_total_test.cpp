// SPDX-License-Identifier: Apache-2.0
#include "syscalls/kernel_total.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sys/syscall.h>
#include <unistd.h>

namespace sluice::test {
namespace {

TEST(KernelTotal, CountsTheThreadOrIsNotThere) {
  const auto total = syscalls::KernelTotal::open();
  if (!total) {
    // Only a kernel that shows no tracepoint to us, or forbids it, may leave the figure out.
    std::ifstream id{"/sys/kernel/tracing/events/raw_syscalls/sys_enter/id"};
    EXPECT_TRUE(!id || ::geteuid() != 0);
    return;
  }
  const auto before = total->read();
  for (int i = 0; i < 100; ++i) {
    ::getpid();
  }
  const auto after = total->read();
  ASSERT_TRUE(before && after);
  EXPECT_GE(*after - *before, 100U);
  EXPECT_LE(*after - *before, 110U);
}

}  // namespace
}  // namespace sluice::test
