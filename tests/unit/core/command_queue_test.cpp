// SPDX-License-Identifier: Apache-2.0
#include "core/route/command_queue.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace sluice::core {
namespace {

TEST(CommandQueue, wakes_the_loop_and_runs_in_order) {
  Waiter waiter;
  CommandQueue queue;
  queue.open(waiter);
  std::vector<int> ran;
  std::thread other{[&] {
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(queue.post([&ran, i] { ran.push_back(i); }));
  }};
  while (ran.size() < 100) waiter.wait(Waiter::Scope::everything, k_never);
  other.join();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ran[static_cast<std::size_t>(i)], i);
}

TEST(CommandQueue, is_bounded) {
  Waiter waiter;
  CommandQueue queue;
  queue.open(waiter);
  int accepted = 0;
  while (queue.post([] {})) ASSERT_LT(++accepted, 100'000);
  EXPECT_GE(accepted, 1000);
}

TEST(CommandQueue, takes_nothing_when_closed_and_drops_what_is_left) {
  Waiter waiter;
  CommandQueue queue;
  EXPECT_FALSE(queue.post([] {}));
  queue.open(waiter);
  auto alive = std::make_shared<int>(1);
  EXPECT_TRUE(queue.post([alive] { FAIL() << "ran after close"; }));
  queue.close();
  EXPECT_EQ(alive.use_count(), 1);
  EXPECT_FALSE(queue.post([] {}));
}

}  // namespace
}  // namespace sluice::core
