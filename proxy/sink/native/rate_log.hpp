// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"

#include <cstdint>

namespace sluice::sink {

/// Lets the first of many equal events be logged at once, then one every ten seconds with the
/// number of those since.
class RateLog {
 public:
  /// Counts one. The number since the last one logged if this one is to be logged, else 0.
  std::uint64_t note(core::Nanoseconds now) noexcept {
    ++m_total;
    ++m_since;
    if (now < m_next) return 0;
    m_next = now + k_pause;
    const std::uint64_t since = m_since;
    m_since = 0;
    return since;
  }
  [[nodiscard]] std::uint64_t total() const noexcept { return m_total; }

 private:
  static constexpr core::Nanoseconds k_pause = 10 * core::k_second;

  core::Nanoseconds m_next = 0;
  std::uint64_t m_total = 0;
  std::uint64_t m_since = 0;
};

}  // namespace sluice::sink
