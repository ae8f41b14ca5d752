// SPDX-License-Identifier: Apache-2.0
#include "syscalls/interposer/next.hpp"
#include "syscalls/interposer_api.h"

#include <dlfcn.h>

// The entry points: the constructor, thread names, and the one function the rest of Sluice finds.
namespace sluice::syscalls::interposer {

namespace {

constinit Next g_setname{"pthread_setname_np"};

__attribute__((constructor(101))) void start() {
  resolve_wrappers();
  resolve_variadic();
  resolve_accept();
  g_setname.resolve();
  start_blocks();
  if (start_trace != nullptr) {
    start_trace(false);
  }
}

const char* kind_name(std::uint32_t kind) {
  return kind < k_kinds ? k_kind_names[kind] : nullptr;
}

void sum_of(std::uint32_t role, std::uint64_t* cells, std::uint32_t count) {
  if (role < k_roles) {
    sum(static_cast<Role>(role), cells, count);
  }
}

// A program of ours that has the interposer built in may run under a second one (sluice trace).
const sluice_interposer_v1* next_interposer() {
  static std::atomic<const sluice_interposer_v1*> found{nullptr};
  static std::atomic<bool> looked{false};
  if (!looked.load(std::memory_order_acquire)) {
    if (void* const address = ::dlsym(RTLD_NEXT, SLUICE_INTERPOSER_SYMBOL)) {
      found.store(reinterpret_cast<sluice_interposer_v1_function*>(address)());
    }
    looked.store(true, std::memory_order_release);
  }
  return found.load(std::memory_order_relaxed);
}

std::uint32_t set_role_of_thread(std::uint32_t role) {
  if (const auto* next = next_interposer()) {
    next->set_role(role);
  }
  return static_cast<std::uint32_t>(
      set_role(role < k_roles ? static_cast<Role>(role) : Role::other));
}

constexpr sluice_interposer_v1 k_interposer{
    sizeof(sluice_interposer_v1), k_kinds,      kind_name,  sum_of,
    set_role_of_thread,           arm_shedding, shed_count, on_shed};

}  // namespace

SLUICE_INTERPOSED int named_thread(pthread_t thread,
                                   const char* name) __asm__("pthread_setname_np");
int named_thread(pthread_t thread, const char* name) {
  const int result = g_setname.as<int(pthread_t, const char*)>()(thread, name);
  if (result == 0) {
    thread_was_named(thread, name);
  }
  return result;
}

SLUICE_INTERPOSED const struct sluice_interposer_v1* exported_interposer() __asm__(
    SLUICE_INTERPOSER_SYMBOL);
const struct sluice_interposer_v1* exported_interposer() {
  return &k_interposer;
}

}  // namespace sluice::syscalls::interposer
