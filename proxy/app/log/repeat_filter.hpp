// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::app {

/// Holds back lines that repeat: of one text, the first few of an interval pass, the rest are
/// counted and named when the text passes again. Constant memory. Used under the log's lock.
class RepeatFilter {
 public:
  static constexpr std::uint64_t k_passing = 5;
  static constexpr core::Nanoseconds k_interval = 10 * core::k_second;

  /// Nothing: hold the line back. Else how many were held back before it.
  [[nodiscard]] std::optional<std::uint64_t> admit(std::string_view text,
                                                   core::Nanoseconds time) noexcept;

 private:
  struct Slot {
    std::size_t hash = 0;
    core::Nanoseconds since = 0;
    std::uint64_t seen = 0;
    std::uint64_t held_back = 0;
  };
  std::array<Slot, 64> m_slots;
};

}  // namespace sluice::app
