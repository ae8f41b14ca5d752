// SPDX-License-Identifier: Apache-2.0
#include "deltas.hpp"
#include "syscalls/interposer/blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <thread>
#include <unistd.h>
#include <vector>

namespace sluice::test {
namespace {

std::uint64_t getpids(const SyscallTable& table) {
  const auto found = table.find("getpid");
  return found == table.end() ? 0 : found->second;
}

TEST(SyscallThreads, CountsSurviveTheirThread) {
  const auto calls = calls_of([] {
    for (int i = 0; i < 500; ++i) {
      std::thread{[] { ::getpid(); }}.join();
    }
  });
  EXPECT_EQ(getpids(calls.other), 500U);
}

TEST(SyscallThreads, MoreAtATimeThanThereAreBlocks) {
  constexpr int k_threads = static_cast<int>(syscalls::interposer::k_blocks) + 44;
  const auto calls = calls_of([] {
    std::latch all_called{k_threads};
    std::vector<std::thread> threads;
    for (int i = 0; i < k_threads; ++i) {
      threads.emplace_back([&] {
        ::getpid();
        all_called.arrive_and_wait();
        ::getpid();
      });
    }
    for (auto& thread : threads) {
      thread.join();
    }
  });
  EXPECT_EQ(getpids(calls.other), 2U * k_threads);
}

struct CallsWhenDestroyed {
  ~CallsWhenDestroyed() { ::getpid(); }
};

TEST(SyscallThreads, CallsMadeWhileAThreadEnds) {
  pthread_key_t key{};
  ASSERT_EQ(::pthread_key_create(&key, [](void*) { ::getpid(); }), 0);
  const auto calls = calls_of([key] {
    std::thread{[key] {
      thread_local const CallsWhenDestroyed late;
      static_cast<void>(&late);
      ::pthread_setspecific(key, "x");
      ::getpid();
    }}.join();
  });
  ::pthread_key_delete(key);
  EXPECT_EQ(getpids(calls.other), 3U);
}

TEST(SyscallThreads, ReadersSeeThemOnlyRise) {
  constexpr std::uint64_t k_calls = 20'000;
  std::atomic<bool> done{false};
  bool went_back = false;
  const auto calls = calls_of([&] {
    std::thread reader{[&] {
      std::uint64_t last = 0;
      while (!done.load()) {
        const std::uint64_t now = getpids(counts_now().other);
        went_back = went_back || now < last;
        last = now;
      }
    }};
    std::vector<std::thread> writers;
    for (int i = 0; i < 4; ++i) {
      writers.emplace_back([] {
        for (std::uint64_t call = 0; call < k_calls; ++call) {
          ::getpid();
        }
      });
    }
    std::ranges::for_each(writers, &std::thread::join);
    done.store(true);
    reader.join();
  });
  EXPECT_FALSE(went_back);
  EXPECT_EQ(getpids(calls.other), 4 * k_calls);
}

}  // namespace
}  // namespace sluice::test
