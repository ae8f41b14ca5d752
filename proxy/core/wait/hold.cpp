// SPDX-License-Identifier: Apache-2.0
#include "core/wait/hold.hpp"

#include <algorithm>
#include <utility>

namespace sluice::core {
namespace {

// The rate is that of the last so many budgets, but not of less than the second time.
constexpr int k_memory_in_budgets = 8;
constexpr Nanoseconds k_least_memory = 2 * k_millisecond;

}  // namespace

void Hold::set(const Tuning& tuning) noexcept {
  m_tuning = tuning;
  const bool adaptive = tuning.mode == TuningMode::adaptive;
  const Nanoseconds longest = to_ns(adaptive ? tuning.latency_budget : tuning.coalesce_delay);
  m_rate.set_memory(std::max(k_memory_in_budgets * longest, k_least_memory));
  m_adaptive.set_budget(to_ns(tuning.latency_budget));
}

Nanoseconds Hold::after_turn(std::uint64_t forwarded, Nanoseconds now) noexcept {
  m_cut = false;
  if (forwarded == 0) return 0;
  add(forwarded);
  const std::uint64_t messages = std::exchange(m_forwarded, 0);
  const Nanoseconds elapsed = std::max<Nanoseconds>(now - std::exchange(m_last_turn, now), 1);
  m_rate.add(messages, elapsed);
  if (forwarded >= m_tuning.inbound_poll_rate) return 0;
  Nanoseconds hold = m_tuning.mode == TuningMode::adaptive
                         ? m_adaptive.after_turn(messages, m_rate.per_ns())
                         : to_ns(m_tuning.coalesce_delay);
  if (hold > 0 && m_mark > 0) {
    const double latest = static_cast<double>(messages) / static_cast<double>(elapsed);
    const double limit = m_mark / (2 * std::max(m_rate.per_ns(), latest));
    if (limit < static_cast<double>(hold)) {
      hold = static_cast<Nanoseconds>(limit);
      m_cut = true;
    }
  }
  return hold;
}

}  // namespace sluice::core
