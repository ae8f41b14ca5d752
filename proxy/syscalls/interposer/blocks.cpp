// SPDX-License-Identifier: Apache-2.0
#include "syscalls/interposer/blocks.hpp"

#include <cerrno>
#include <span>
#include <sys/prctl.h>

namespace sluice::syscalls::interposer {

constinit Region g_region{};
__thread Block* t_block = nullptr;

namespace {

__thread bool t_ended __attribute__((tls_model("initial-exec"))) = false;
__thread Role t_shared_role __attribute__((tls_model("initial-exec"))) = Role::other;
pthread_key_t g_key;
std::atomic<std::uint32_t> g_used{0};  // blocks that have ever been taken: these, from the first
std::atomic<bool> g_have_key{false};

unsigned index_of(Role role) {
  return static_cast<unsigned>(role);
}

bool names_libzmq(const char* name) {
  for (; *name != '\0'; ++name) {
    const char* want = "ZMQbg";
    const char* have = name;
    while (*want != '\0' && *want == *have) {
      ++want;
      ++have;
    }
    if (*want == '\0') {
      return true;
    }
  }
  return false;
}

// Forwarding is marked by our own loop and outranks a thread's name.
void rename_role(Block& block, const char* name) {
  const bool io = names_libzmq(name);
  auto expected = index_of(io ? Role::other : Role::io);
  block.role.compare_exchange_strong(expected, index_of(io ? Role::io : Role::other));
}

std::span<Block> used_blocks() {
  return {g_region.blocks, g_used.load(std::memory_order_acquire)};
}

Block* take_block() {
  for (std::uint32_t index = 0; index < k_blocks; ++index) {
    Block& block = g_region.blocks[index];
    std::uint32_t free = 0;
    if (block.taken.load(std::memory_order_relaxed) == 0 &&
        block.taken.compare_exchange_strong(free, 1, std::memory_order_acquire)) {
      block.role.store(index_of(Role::other), std::memory_order_relaxed);
      std::uint32_t used = g_used.load(std::memory_order_relaxed);
      while (used <= index && !g_used.compare_exchange_weak(used, index + 1)) {
      }
      return &block;
    }
  }
  return nullptr;
}

void give_back(Block& block) {
  block.thread.store(pthread_t{}, std::memory_order_relaxed);
  block.taken.store(0, std::memory_order_release);
}

Block* own_block() {
  if (t_block != nullptr || t_ended) {
    return t_block;
  }
  const int saved = errno;
  Block* const block = take_block();
  if (block == nullptr) {
    errno = saved;
    return nullptr;
  }
  // The thread is published before its name is read: whoever names it in between finds the block.
  block->thread.store(pthread_self());
  char name[16] = "";
  if (::prctl(PR_GET_NAME, name) == 0) {
    rename_role(*block, name);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (t_block != nullptr) {  // a signal handler came in between and has taken one
    give_back(*block);
  } else {
    t_block = block;
    if (g_have_key.load(std::memory_order_acquire)) {
      ::pthread_setspecific(g_key, block);
    }
  }
  errno = saved;
  return t_block;
}

void thread_ends(void* value) {
  Block* const block = static_cast<Block*>(value);
  t_shared_role = static_cast<Role>(block->role.load(std::memory_order_relaxed));
  t_ended = true;
  t_block = nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  give_back(*block);
}

void clear(Block& block) {
  for (auto& row : block.cells) {
    for (Cell& cell : row) {
      cell.value.store(0, std::memory_order_relaxed);
    }
  }
}

// A forked child starts from nothing, with the one thread it has.
void child_forked() {
  const std::uint32_t role = t_block != nullptr ? t_block->role.load() : 0;
  if (start_trace == nullptr || !start_trace(true)) {
    clear(g_region.shared);
    for (Block& block : used_blocks()) {
      clear(block);
      give_back(block);
    }
  }
  if (t_block != nullptr) {
    t_block->taken.store(1);
    t_block->role.store(role);
    t_block->thread.store(pthread_self());
  }
}

}  // namespace

void tally_slowly(Kind kind) {
  if (Block* const block = own_block()) {
    block->cells[block->role.load(std::memory_order_relaxed)][kind].bump();
  } else {
    g_region.shared.cells[index_of(t_shared_role)][kind].value.fetch_add(1,
                                                                         std::memory_order_relaxed);
  }
}

Role set_role(Role role) {
  if (Block* const block = own_block()) {
    return static_cast<Role>(block->role.exchange(index_of(role), std::memory_order_relaxed));
  }
  const Role before = t_shared_role;
  t_shared_role = role;
  return before;
}

void sum(Role role, std::uint64_t* cells, std::uint32_t count) {
  for (std::uint32_t kind = 0; kind < count; ++kind) {
    cells[kind] = kind < k_kinds ? g_region.shared.cells[index_of(role)][kind].value.load() : 0;
  }
  for (const Block& block : used_blocks()) {
    for (std::uint32_t kind = 0; kind < count && kind < k_kinds; ++kind) {
      cells[kind] += block.cells[index_of(role)][kind].value.load(std::memory_order_relaxed);
    }
  }
}

void thread_was_named(pthread_t thread, const char* name) {
  if (::pthread_equal(thread, ::pthread_self()) != 0) {
    if (Block* const block = own_block()) {
      rename_role(*block, name);
    } else if (t_shared_role != Role::forwarding) {
      t_shared_role = names_libzmq(name) ? Role::io : Role::other;
    }
    return;
  }
  for (Block& block : used_blocks()) {
    if (block.taken.load() != 0 && ::pthread_equal(block.thread.load(), thread) != 0) {
      rename_role(block, name);
    }
  }
}

void start_blocks() {
  if (::pthread_key_create(&g_key, thread_ends) == 0) {
    g_have_key.store(true, std::memory_order_release);
    // The first thread may have been counted already.
    if (t_block != nullptr) {
      ::pthread_setspecific(g_key, t_block);
    }
  }
  ::pthread_atfork(nullptr, nullptr, child_forked);
}

}  // namespace sluice::syscalls::interposer
