// SPDX-License-Identifier: Apache-2.0
#include "app/process/signals.hpp"

#include "app/process/event_fd.hpp"
#include "support/deadline.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <unistd.h>

namespace sluice::app {
namespace {

TEST(SignalsDeathTest, ComeOutOfTheDescriptor) {
  // In a process of its own: the mask would stay.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        Signals signals;
        if (signals.next()) ::_exit(1);
        ::kill(::getpid(), SIGTERM);
        if (!test::readable(signals.fd()) || signals.next() != SIGTERM) ::_exit(2);
        ::kill(::getpid(), SIGUSR1);
        ::kill(::getpid(), SIGHUP);
        int seen = 0;
        while (const auto number = signals.next()) seen += *number;
        ::_exit(seen == SIGUSR1 + SIGHUP ? 0 : 3);
      },
      testing::ExitedWithCode(0), "");
}

TEST(EventFd, IsRaisedUntilTaken) {
  EventFd event;
  EXPECT_FALSE(event.take());
  event.raise();
  event.raise();
  EXPECT_TRUE(test::readable(event.fd()));
  EXPECT_TRUE(event.take());
  EXPECT_FALSE(event.take());
}

}  // namespace
}  // namespace sluice::app
