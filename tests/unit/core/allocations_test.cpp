// SPDX-License-Identifier: Apache-2.0
// Field report P-06: what is allocated while messages pass. The allocator is counted in an
// executable of its own, because it replaces malloc for every thread of it, libzmq's included.
#include "route_peers.hpp"
#include "support/deadline.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace {
std::atomic<std::uint64_t> g_allocations{0};
}

#pragma GCC visibility push(default)  // for the shared libraries too
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
}
#pragma GCC visibility pop

namespace sluice::test {
namespace {

class Allocations : public testing::TestWithParam<Engine> {};

TEST_P(Allocations, P_06_none_for_each_message) {
  zmq::context_t context;
  Route route{context, one_to_one(OnFull::block, GetParam())};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(source.subscription());
  // Messages of up to 33 bytes need no block of their own in libzmq. One window of them at a time,
  // so that queues stay as long as the warm-up made them.
  constexpr int k_window = 500;
  const auto pass = [&](int windows) -> std::uint64_t {
    std::array<char, 20> message{};
    const auto before = g_allocations.load();
    for (int w = 0; w < windows; ++w) {
      for (int i = 0; i < k_window; ++i) {
        if (zmq_send(source.socket().handle(), message.data(), message.size(), 0) < 0) return ~0ULL;
      }
      for (int i = 0; i < k_window; ++i) {
        if (zmq_recv(subscriber.socket().handle(), message.data(), message.size(), 0) < 0) {
          return ~0ULL;
        }
      }
    }
    return g_allocations.load() - before;
  };
  ASSERT_NE(pass(20), ~0ULL);
  const auto few = pass(40);
  const auto many = pass(200);
  RecordProperty("allocations_20k", std::to_string(few));
  RecordProperty("allocations_100k", std::to_string(many));
  // What is left are blocks of queues, of receive buffers and of statuses: a few for each window.
  EXPECT_LT(many, 200 * k_window / 20) << few;
}

INSTANTIATE_TEST_SUITE_P(Engines, Allocations, testing::Values(Engine::zmq, Engine::native),
                         [](const auto& engine) { return std::string{to_string(engine.param)}; });

}  // namespace
}  // namespace sluice::test
