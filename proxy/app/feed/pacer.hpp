// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/loaded.hpp"
#include "core/base/clock.hpp"

#include <cstdint>
#include <utility>

namespace sluice::app {

/// How many messages of a fixed rate are due, and when the next ones will be. Arithmetic only;
/// used by one thread.
class Pacer {
 public:
  /// `rate` is not 0.
  Pacer(std::uint64_t rate, config::Pattern pattern, core::Nanoseconds start) noexcept;

  /// Messages due at `time` that were not handed out before. What is later than 100 ms is left
  /// out and counted as skipped.
  [[nodiscard]] std::uint64_t take_due(core::Nanoseconds time) noexcept;
  /// When the next ones are due.
  [[nodiscard]] core::Nanoseconds next() const noexcept;
  /// What was skipped since the last call.
  [[nodiscard]] std::uint64_t take_skipped() noexcept { return std::exchange(m_skipped, 0); }

 private:
  [[nodiscard]] std::uint64_t due_by(core::Nanoseconds time) const noexcept;

  std::uint64_t m_rate;
  config::Pattern m_pattern;
  core::Nanoseconds m_start;
  std::uint64_t m_taken = 0;
  std::uint64_t m_skipped = 0;
};

}  // namespace sluice::app
