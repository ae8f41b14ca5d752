// SPDX-License-Identifier: Apache-2.0
#include "core/loop/loop_counters.hpp"

#include "core/base/clock.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace sluice::core {
namespace {

TEST(Counter, passes_32_bits) {
  Counter counter;
  counter.add(0xFFFF'FFFFU);
  counter.add(2);
  EXPECT_EQ(counter.get(), 0x1'0000'0001U);
  counter.raise_to(5);
  EXPECT_EQ(counter.get(), 0x1'0000'0001U);
}

TEST(ThreadUsage, is_read_from_outside_and_kept_after_the_end) {
  ThreadUsage usage;
  std::promise<void> worked;
  std::promise<void> go_on;
  std::thread thread{[&] {
    usage.begin();
    const auto until = now() + 20 * k_millisecond;
    while (now() < until) {
    }
    worked.set_value();
    go_on.get_future().wait();
    usage.end();
  }};
  worked.get_future().wait();
  LoopStatistics during;
  usage.add_to(during);
  EXPECT_GT(during.cpu_ns, 1'000'000U);
  go_on.set_value();
  thread.join();
  LoopStatistics after;
  usage.add_to(after);
  EXPECT_GE(after.cpu_ns, during.cpu_ns);
  EXPECT_GE(after.voluntary_switches, during.voluntary_switches);
}

}  // namespace
}  // namespace sluice::core
