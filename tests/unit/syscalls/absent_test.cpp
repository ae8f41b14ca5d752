// SPDX-License-Identifier: Apache-2.0
#include "syscalls/role.hpp"
#include "syscalls/shed.hpp"

#include <sluice/syscalls.hpp>

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

TEST(Interposer, AbsentMeansNoFigureNotZero) {
  EXPECT_FALSE(syscall_counts().has_value());
  const syscalls::ForwardingScope harmless;
  EXPECT_FALSE(syscalls::arm_descriptor_shedding());
  EXPECT_EQ(syscalls::shed_connections(), 0U);
}

}  // namespace
}  // namespace sluice::test
