// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "syscalls/kinds.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <pthread.h>

// Internal to the interposer. Everything here works before constructors have run, in signal
// handlers and in forked children: no locks, no allocation, no C++ run-time library.
namespace sluice::syscalls::interposer {

struct Cell {
  std::atomic<std::uint64_t> value;

  /// By the one owner only. One instruction where that makes it whole against a signal handler.
  void bump() {
#if defined(__x86_64__)
    __asm__ volatile("incq %0" : "+m"(value));
#else
    value.store(value.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
#endif
  }
};

/// Counters of one live thread. A thread that ends leaves its counts where they are and the block
/// to the next thread, so totals are the sum over all blocks and never go back.
struct alignas(64) Block {
  std::atomic<std::uint32_t> taken;
  std::atomic<std::uint32_t> role;
  std::atomic<pthread_t> thread;
  Cell cells[k_roles][k_kinds];
};

inline constexpr std::size_t k_blocks = 256;
inline constexpr std::uint64_t k_trace_magic = 0x31534c4c41435353;  // "SSCALLS1"

struct RegionHeader {
  std::uint64_t magic;
  std::uint32_t kinds;
  std::uint32_t blocks;
  std::uint32_t block_size;
  std::uint32_t pid;
  std::uint64_t started_ns;  ///< CLOCK_REALTIME
  char program[256];
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// All counters of the process, in whole pages: the trace puts a shared file in their place.
struct alignas(4096) Region {
  RegionHeader header;
  Block shared;  ///< for threads beyond k_blocks and for calls after a thread's own clean-up
  Block blocks[k_blocks];
};

#define SLUICE_INTERNAL __attribute__((visibility("hidden")))

SLUICE_INTERNAL extern constinit Region g_region;
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
SLUICE_INTERNAL extern __thread Block* t_block __attribute__((tls_model("initial-exec")));

SLUICE_INTERNAL void tally_slowly(Kind kind);
SLUICE_INTERNAL Role set_role(Role role);
SLUICE_INTERNAL void sum(Role role, std::uint64_t* cells, std::uint32_t count);
/// libzmq names its threads "ZMQbg/..." (after a prefix, if the host has set one).
SLUICE_INTERNAL void thread_was_named(pthread_t thread, const char* name);
/// Once, from the constructor: thread ends and forks are watched from here on.
SLUICE_INTERNAL void start_blocks();
/// Only in the library that `sluice trace` preloads: puts an empty shared file in the region's
/// place, with what has been counted so far (not after a fork). False: nothing was changed.
SLUICE_INTERNAL bool start_trace(bool forked) __attribute__((weak));

inline void tally(Kind kind) {
  Block* const block = t_block;
  if (__builtin_expect(block != nullptr, 1)) {
    block->cells[block->role.load(std::memory_order_relaxed)][kind].bump();
  } else {
    tally_slowly(kind);
  }
}

}  // namespace sluice::syscalls::interposer
