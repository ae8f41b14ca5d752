// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"

#include <algorithm>
#include <cstdint>

namespace sluice::core {

/// Messages per nanosecond over the last `memory`, fading out. Counts and times fade alike, so that
/// a short gap weighs as little as it lasts: the mean of the rates of single gaps would be far too
/// high for arrivals that are not even. A silence counts as two memories at most, so that it is
/// soon forgotten: lower rates than one message in two memories are not told apart. A plain value.
class ArrivalRate {
 public:
  void set_memory(Nanoseconds memory) noexcept { m_memory = static_cast<double>(memory); }

  /// `messages` more since the call before, `elapsed` (not 0) ago.
  void add(std::uint64_t messages, Nanoseconds elapsed) noexcept {
    const double time = std::min(static_cast<double>(elapsed), 2 * m_memory);
    const double x = time / m_memory;
    const double keep = 1 / (1 + x + x * x / 2);  // e^-x, nearly
    m_messages = m_messages * keep + static_cast<double>(messages);
    m_time = m_time * keep + time;
  }
  [[nodiscard]] double per_ns() const noexcept { return m_time > 0 ? m_messages / m_time : 0; }

 private:
  double m_memory = static_cast<double>(10 * k_millisecond);
  double m_messages = 0;
  double m_time = 0;
};

}  // namespace sluice::core
