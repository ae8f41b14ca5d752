// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"
#include "core/wait/adaptive_hold.hpp"
#include "core/wait/arrival_rate.hpp"

#include <sluice/tuning.hpp>

#include <cstdint>

namespace sluice::core {

/// Decides how long the sources stay unwatched after a turn (`coalesce_delay`, adaptive mode).
/// A value with a little memory of the arrival rate; used by one thread.
class Hold {
 public:
  void set(const Tuning& tuning) noexcept;
  /// The smallest receive mark of the sources; 0 = none. A hold cannot see what arrives, so it is
  /// cut to the time in which half of that mark would fill at the measured rate.
  void set_mark(int messages) noexcept { m_mark = messages; }

  /// Counts what a turn forwarded that went on without a rest.
  void add(std::uint64_t forwarded) noexcept { m_forwarded += forwarded; }
  /// After a turn that ended at `now` with `forwarded` messages: how long to hold, 0 = not at all.
  Nanoseconds after_turn(std::uint64_t forwarded, Nanoseconds now) noexcept;
  /// Whether the last answer was shortened because of the mark.
  [[nodiscard]] bool cut() const noexcept { return m_cut; }
  /// Messages per nanosecond, smoothed.
  [[nodiscard]] double rate() const noexcept { return m_rate.per_ns(); }

 private:
  Tuning m_tuning;
  int m_mark = 0;
  bool m_cut = false;
  std::uint64_t m_forwarded = 0;  // since m_last_turn
  Nanoseconds m_last_turn = 0;
  ArrivalRate m_rate;
  AdaptiveHold m_adaptive;
};

}  // namespace sluice::core
