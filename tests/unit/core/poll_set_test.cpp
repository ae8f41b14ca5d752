// SPDX-License-Identifier: Apache-2.0
#include "core/wait/poll_set.hpp"

#include "core/base/fd.hpp"
#include "core/wait/waiter.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <sys/eventfd.h>
#include <unistd.h>

namespace sluice::core {
namespace {

/// A descriptor that is readable from `fire` on.
struct Event final : Watched {
  void fire() {
    const std::uint64_t one = 1;
    ASSERT_EQ(::write(fd.get(), &one, sizeof one), static_cast<ssize_t>(sizeof one));
  }
  void on_ready(std::uint32_t events) noexcept override {
    ++calls;
    last = events;
    if (then) then();
  }

  Fd fd{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  int calls = 0;
  std::uint32_t last = 0;
  std::function<void()> then;
};

TEST(PollSet, CallsWhatIsReadyInItsScope) {
  PollSet set;
  Event source;
  Event other;
  set.add(source.fd.get(), EPOLLIN, source, true);
  set.add(other.fd.get(), EPOLLIN, other, false);
  EXPECT_EQ(set.wait(true, 0), 0);
  source.fire();
  EXPECT_EQ(set.wait(false, 0), 0);
  EXPECT_EQ(set.wait(true, k_never), 1);
  set.dispatch();
  EXPECT_EQ(source.calls, 1);
  EXPECT_EQ(source.last, EPOLLIN);
  other.fire();
  EXPECT_EQ(set.wait(false, k_never), 1);
  set.dispatch();
  EXPECT_EQ(source.calls, 1);
  EXPECT_EQ(other.calls, 1);
}

TEST(PollSet, OneDescriptorForTwo) {
  PollSet set;
  Event first;
  Event second;
  set.add(first.fd.get(), EPOLLIN, first, true);
  set.add(first.fd.get(), EPOLLIN, second, true);
  first.fire();
  EXPECT_EQ(set.wait(true, k_never), 2);
  set.dispatch();
  EXPECT_EQ(first.calls, 1);
  EXPECT_EQ(second.calls, 1);
  set.remove(first.fd.get(), first);
  EXPECT_EQ(set.wait(true, 0), 1);
  set.dispatch();
  EXPECT_EQ(first.calls, 1);
  EXPECT_EQ(second.calls, 2);
}

TEST(PollSet, RemovedWhileDispatchingIsNotCalled) {
  PollSet set;
  Event first;
  Event second;
  Event third;
  for (Event* event : {&first, &second, &third}) {
    set.add(event->fd.get(), EPOLLIN, *event, false);
    event->fire();
  }
  first.then = [&] {
    set.remove(first.fd.get(), first);
    set.remove(second.fd.get(), second);
  };
  EXPECT_EQ(set.wait(true, 0), 3);
  set.dispatch();
  EXPECT_EQ(second.calls, 0);
  EXPECT_EQ(third.calls, 1);
  EXPECT_EQ(set.wait(true, 0), 1);
}

TEST(PollSet, AddedWhileDispatchingIsCalledNextTime) {
  PollSet set;
  Event first;
  Event second;
  second.fire();
  first.then = [&] {
    if (first.calls == 1) set.add(second.fd.get(), EPOLLIN, second, false);
  };
  set.add(first.fd.get(), EPOLLIN, first, true);
  first.fire();
  EXPECT_EQ(set.wait(true, 0), 1);
  set.dispatch();
  EXPECT_EQ(set.wait(true, 0), 2);
  set.dispatch();
  EXPECT_EQ(second.calls, 1);
}

TEST(PollSet, ModifyChangesWhatIsWatched) {
  PollSet set;
  Event event;
  set.add(event.fd.get(), EPOLLIN, event, true);
  EXPECT_EQ(set.wait(true, 0), 0);
  set.modify(event.fd.get(), EPOLLOUT, event);
  EXPECT_EQ(set.wait(true, 0), 1);
  set.dispatch();
  EXPECT_EQ(event.last, EPOLLOUT);
}

TEST(PollSet, AWaitEndsAtItsTime) {
  PollSet set;
  const Nanoseconds start = now();
  EXPECT_EQ(set.wait(true, 5 * k_millisecond), 0);
  EXPECT_GE(now() - start, 5 * k_millisecond);
}

TEST(PollSet, SignalsHeldBackAreTaken) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {};
  ::sigaction(SIGUSR1, &action, &before);
  sigset_t held;
  sigset_t mask;
  sigemptyset(&held);
  sigaddset(&held, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &held, &mask);
  PollSet set;
  EXPECT_FALSE(set.take_signals());
  set.set_signal_mask(&mask);
  EXPECT_FALSE(set.take_signals());
  pthread_kill(pthread_self(), SIGUSR1);
  EXPECT_TRUE(set.take_signals());
  EXPECT_FALSE(set.take_signals());
  pthread_kill(pthread_self(), SIGUSR1);
  EXPECT_EQ(set.wait(true, k_never), -1);
  EXPECT_EQ(errno, EINTR);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  ::sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace sluice::core
