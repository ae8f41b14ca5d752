// SPDX-License-Identifier: Apache-2.0
#include "core/wait/adaptive_hold.hpp"

#include <algorithm>

namespace sluice::core {
namespace {

// How many times as many messages as without a hold make it worth while.
constexpr double k_pays = 1.25;
// More messages than this in one turn save next to nothing: the turn's own cost is spread thin.
constexpr double k_enough = 256;
// After so many holds one is left out.
constexpr unsigned k_look_every = 64;
// Weight of the newest turn without a hold.
constexpr double k_newest = 0.25;

}  // namespace

Nanoseconds AdaptiveHold::after_turn(std::uint64_t messages, double rate) noexcept {
  if (m_in_a_row == 0) {
    m_bunch += k_newest * (std::max(static_cast<double>(messages), 1.0) - m_bunch);
  }
  const double expected = rate * static_cast<double>(m_budget);
  if (expected < k_pays * m_bunch || ++m_in_a_row > k_look_every) {
    m_in_a_row = 0;
    return 0;
  }
  return std::min(m_budget, static_cast<Nanoseconds>(k_enough / rate));
}

}  // namespace sluice::core
