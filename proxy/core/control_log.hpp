// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/clock.hpp"

#include <cstdint>
#include <optional>

namespace sluice::core {

/// Lets one line an interval through and counts the rest. Used by one thread.
class LogLimit {
 public:
  explicit LogLimit(Nanoseconds interval = k_second) noexcept : m_interval(interval) {}

  /// How many lines were held back since the last one, when this one may be written.
  [[nodiscard]] std::optional<std::uint64_t> admit(Nanoseconds time) noexcept {
    if (m_last && time - *m_last < m_interval) {
      ++m_held_back;
      return {};
    }
    m_last = time;
    const std::uint64_t held_back = m_held_back;
    m_held_back = 0;
    return held_back;
  }

 private:
  Nanoseconds m_interval;
  std::optional<Nanoseconds> m_last;
  std::uint64_t m_held_back = 0;
};

}  // namespace sluice::core
