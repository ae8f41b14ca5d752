// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"

#include <cstdint>

namespace sluice::core {

/// Adaptive mode: whether a hold pays after this turn, and how long it should last.
///
/// A turn that ends a hold costs about as much as one that a message has started. So a hold pays
/// when more messages are expected to come in while it lasts than such a turn would have found by
/// itself: one where messages come singly, ten where they come in bunches of ten. What turns find
/// by themselves cannot be seen while every turn follows a hold; one in many is left out to look.
/// A value, used by one thread.
class AdaptiveHold {
 public:
  /// The longest a single hold may last.
  void set_budget(Nanoseconds budget) noexcept { m_budget = budget; }

  /// After a turn, with the messages since the turn before; `rate` in messages per nanosecond.
  /// 0 = no hold. Never more than the budget.
  Nanoseconds after_turn(std::uint64_t messages, double rate) noexcept;

 private:
  Nanoseconds m_budget = k_millisecond;
  double m_bunch = 1;  // messages that a turn finds without a hold, smoothed
  unsigned m_in_a_row = 0;
};

}  // namespace sluice::core
