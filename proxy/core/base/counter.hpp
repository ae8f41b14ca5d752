// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace sluice::core {

/// A 64-bit counter written by one thread and read by any. Adding is a plain load and store, no
/// locked instruction.
class Counter {
 public:
  void add(std::uint64_t n) noexcept {
    m_value.store(m_value.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  void set(std::uint64_t value) noexcept { m_value.store(value, std::memory_order_relaxed); }
  void raise_to(std::uint64_t value) noexcept {
    if (value > get()) set(value);
  }
  [[nodiscard]] std::uint64_t get() const noexcept {
    return m_value.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t> m_value{0};
};

}  // namespace sluice::core
