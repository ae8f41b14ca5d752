// SPDX-License-Identifier: Apache-2.0
#include "core/wait/waiter.hpp"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <pthread.h>
#include <sys/eventfd.h>
#include <thread>

namespace sluice::core {
namespace {

class Bell final : public Watched {
 public:
  Bell(Waiter& waiter, Waiter::Watch watch) : m_waiter(waiter), m_watch(watch) {
    m_waiter.add(m_fd.get(), EPOLLIN, *this, watch);
  }
  ~Bell() { remove(); }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  void ring() { eventfd_write(m_fd.get(), 1); }
  void remove() {
    if (m_registered) m_waiter.remove(m_fd.get(), *this, m_watch);
    m_registered = false;
  }
  void on_ready(std::uint32_t /*events*/) noexcept override {
    eventfd_t ignored = 0;
    eventfd_read(m_fd.get(), &ignored);
    ++rung;
    if (victim != nullptr) victim->remove();
  }
  int rung = 0;
  Bell* victim = nullptr;

 private:
  Waiter& m_waiter;
  Waiter::Watch m_watch;
  Fd m_fd{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  bool m_registered = true;
};

TEST(Waiter, calls_what_is_ready_in_both_sets_in_one_wait) {
  Waiter waiter;
  Bell source{waiter, Waiter::Watch::source};
  Bell other{waiter, Waiter::Watch::other};
  source.ring();
  other.ring();
  EXPECT_EQ(waiter.wait(Waiter::Scope::everything, k_never), Waiter::Outcome::ready);
  EXPECT_EQ(source.rung, 1);
  EXPECT_EQ(other.rung, 1);
}

TEST(Waiter, an_alarm_ends_one_wait_at_its_time) {
  Waiter waiter;
  const Nanoseconds begin = now();
  ASSERT_TRUE(waiter.ring_at(begin + 20 * k_millisecond));
  ASSERT_TRUE(waiter.ring_at(begin + 20 * k_millisecond));  // the same one
  EXPECT_EQ(waiter.wait(Waiter::Scope::without_sources, k_never), Waiter::Outcome::ready);
  EXPECT_GE(now(), begin + 20 * k_millisecond);
  EXPECT_EQ(waiter.wait(Waiter::Scope::everything, now() + k_millisecond),
            Waiter::Outcome::timed_out);
}

TEST(Waiter, an_alarm_can_be_put_off_and_set_again) {
  Waiter waiter;
  Nanoseconds begin = now();
  ASSERT_TRUE(waiter.ring_at(begin + 10 * k_millisecond));
  ASSERT_TRUE(waiter.ring_at(begin + 30 * k_millisecond));
  EXPECT_EQ(waiter.wait(Waiter::Scope::everything, k_never), Waiter::Outcome::ready);
  EXPECT_GE(now(), begin + 30 * k_millisecond);
  begin = now();
  ASSERT_TRUE(waiter.ring_at(begin + k_millisecond));
  EXPECT_EQ(waiter.wait(Waiter::Scope::everything, k_never), Waiter::Outcome::ready);
  EXPECT_GE(now(), begin + k_millisecond);
}

TEST(Waiter, a_waiter_of_a_handful_has_no_alarm) {
  EXPECT_FALSE(Waiter{Waiter::Kind::poll}.ring_at(now() + k_second));
}

TEST(Waiter, a_hold_does_not_see_the_sources) {
  Waiter waiter;
  Bell source{waiter, Waiter::Watch::source};
  Bell other{waiter, Waiter::Watch::other};
  source.ring();
  EXPECT_EQ(waiter.wait(Waiter::Scope::without_sources, 0), Waiter::Outcome::timed_out);
  EXPECT_EQ(source.rung, 0);
  other.ring();
  EXPECT_EQ(waiter.wait(Waiter::Scope::without_sources, k_never), Waiter::Outcome::ready);
  EXPECT_EQ(other.rung, 1);
  EXPECT_EQ(waiter.wait(Waiter::Scope::everything, k_never), Waiter::Outcome::ready);
  EXPECT_EQ(source.rung, 1);
}

TEST(Waiter, sleeps_until_the_deadline_with_microsecond_resolution) {
  Waiter waiter;
  const auto start = now();
  EXPECT_EQ(waiter.wait(Waiter::Scope::everything, start + 300 * k_microsecond),
            Waiter::Outcome::timed_out);
  EXPECT_GE(now() - start, 300 * k_microsecond);
}

TEST(Waiter, what_is_removed_while_others_are_served_is_not_called) {
  Waiter waiter;
  Bell first{waiter, Waiter::Watch::other};
  Bell second{waiter, Waiter::Watch::other};
  first.victim = &second;
  second.victim = &first;
  first.ring();
  second.ring();
  waiter.wait(Waiter::Scope::everything, k_never);
  EXPECT_EQ(first.rung + second.rung, 1);
}

TEST(Waiter, tells_that_a_signal_handler_ran) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {};
  sigaction(SIGUSR1, &action, &before);
  Waiter waiter;
  const auto self = pthread_self();
  std::atomic<bool> done{false};
  std::thread other{[&] {
    while (!done) {
      pthread_kill(self, SIGUSR1);
      std::this_thread::yield();
    }
  }};
  EXPECT_EQ(waiter.wait(Waiter::Scope::everything, k_never), Waiter::Outcome::interrupted);
  done = true;
  other.join();
  sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace sluice::core
