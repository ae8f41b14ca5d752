// SPDX-License-Identifier: Apache-2.0
#include "core/hold.hpp"

#include <algorithm>

namespace sluice::core {
namespace {

// A hold saves one wake for every further message that comes in while it lasts. Below this many
// expected messages it costs latency and saves next to nothing.
constexpr double k_worth_holding_for = 2.0;
// Weight of the newest interval in the smoothed rate.
constexpr double k_newest = 0.25;

}  // namespace

void Hold::measure(Nanoseconds now) noexcept {
  const auto interval = static_cast<double>(std::max<Nanoseconds>(now - m_last_turn, 1));
  m_last_turn = now;
  m_latest = static_cast<double>(m_forwarded) / interval;
  m_forwarded = 0;
  m_rate += k_newest * (m_latest - m_rate);
}

Nanoseconds Hold::after_turn(std::uint64_t forwarded, Nanoseconds now) noexcept {
  m_cut = false;
  if (forwarded == 0) return 0;
  add(forwarded);
  measure(now);
  if (forwarded >= m_tuning.inbound_poll_rate) return 0;
  Nanoseconds hold = to_ns(m_tuning.coalesce_delay);
  if (m_tuning.mode == TuningMode::adaptive) {
    const Nanoseconds budget = to_ns(m_tuning.latency_budget);
    hold = m_rate * static_cast<double>(budget) >= k_worth_holding_for ? budget : 0;
  }
  if (hold > 0 && m_mark > 0) {
    const double limit = m_mark / (2 * std::max(m_rate, m_latest));
    if (limit < static_cast<double>(hold)) {
      hold = static_cast<Nanoseconds>(limit);
      m_cut = true;
    }
  }
  return hold;
}

}  // namespace sluice::core
