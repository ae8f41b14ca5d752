// SPDX-License-Identifier: Apache-2.0
#include "usage.hpp"

#include "socket.hpp"

#include <gtest/gtest.h>
#include <zmq.h>

#include <chrono>
#include <ctime>
#include <thread>
#include <unistd.h>

namespace sluice::bench {
namespace {

void burn(std::clock_t ticks) {
  const std::clock_t end = std::clock() + ticks;
  while (std::clock() < end) {
  }
}

TEST(Usage, CountsTheCpuOfTheThreadsGiven) {
  const auto before = read_usage({gettid()});
  burn(CLOCKS_PER_SEC / 50);
  const auto used = spent(before, read_usage({gettid()}));
  EXPECT_GE(used.forwarding_cpu_ns, 15e6);
  EXPECT_GE(used.process_cpu_ns, used.forwarding_cpu_ns * 0.9);
}

TEST(Usage, FindsTheIoThreadsOfLibzmqByName) {
  EXPECT_TRUE(threads("ZMQbg/IO").empty());
  const Context context;
  const Socket socket(context.get(), ZMQ_PUB);
  // The thread gives itself its name, some time after it was made.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (threads("ZMQbg/IO").empty() && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
  EXPECT_EQ(threads("ZMQbg/IO").size(), 1U);
}

TEST(Usage, WithoutTheInterposerThereIsNoFigure) {
  const auto before = read_usage({});
  EXPECT_EQ(spent(before, read_usage({})).calls.has_value(), before.syscalls.has_value());
}

}  // namespace
}  // namespace sluice::bench
