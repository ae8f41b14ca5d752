// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sluice::bench {

/// This process's memory in bytes.
struct Memory {
  std::int64_t resident = 0;  ///< pages of it that are in memory
  std::int64_t heap = 0;      ///< handed out by malloc, its headers included

  friend Memory operator-(const Memory& a, const Memory& b) noexcept {
    return {a.resident - b.resident, a.heap - b.heap};
  }
  bool operator==(const Memory&) const = default;
};

[[nodiscard]] Memory read_memory();

/// Read once the heap has not changed for 100 ms, or after 5 s.
[[nodiscard]] Memory settled_memory();

}  // namespace sluice::bench
