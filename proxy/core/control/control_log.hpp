// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"

#include <cstdint>
#include <optional>

namespace sluice::core {

/// Lets some lines an interval through and counts the rest. Used by one thread.
class LogLimit {
 public:
  explicit LogLimit(Nanoseconds interval = k_second, std::uint64_t lines = 1) noexcept
      : m_interval(interval), m_lines(lines) {}

  /// How many lines were held back since the last one, when this one may be written.
  [[nodiscard]] std::optional<std::uint64_t> admit(Nanoseconds time) noexcept {
    if (!m_since || time - *m_since >= m_interval) {
      m_since = time;
      m_passed = 0;
    }
    if (m_passed == m_lines) {
      ++m_held_back;
      return {};
    }
    ++m_passed;
    const std::uint64_t held_back = m_held_back;
    m_held_back = 0;
    return held_back;
  }

 private:
  Nanoseconds m_interval;
  std::uint64_t m_lines;
  std::uint64_t m_passed = 0;
  std::optional<Nanoseconds> m_since;
  std::uint64_t m_held_back = 0;
};

}  // namespace sluice::core
