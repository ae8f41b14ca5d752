// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "syscalls/interposer/blocks.hpp"

#define SLUICE_INTERPOSED extern "C" __attribute__((visibility("default")))

namespace sluice::syscalls::interposer {

/// The definition a wrapper stands in front of: the C library's, or a sanitizer's, or that of
/// another preloaded library. All are looked up by the constructor; a call that comes before it
/// looks up its own.
class Next {
 public:
  constexpr explicit Next(const char* name) : m_name{name} {}

  template <class Function>
  [[nodiscard]] Function* as() {
    void* address = m_address.load(std::memory_order_relaxed);
    if (__builtin_expect(address == nullptr, 0)) {
      address = resolve();
    }
    return reinterpret_cast<Function*>(address);
  }

  SLUICE_INTERNAL void* resolve();

 private:
  const char* m_name;
  std::atomic<void*> m_address{nullptr};
};

SLUICE_INTERNAL void resolve_wrappers();
SLUICE_INTERNAL void resolve_variadic();
SLUICE_INTERNAL void resolve_accept();

SLUICE_INTERNAL int arm_shedding();
SLUICE_INTERNAL std::uint64_t shed_count();
SLUICE_INTERNAL void on_shed(void (*told)(void* context), void* context);

}  // namespace sluice::syscalls::interposer
