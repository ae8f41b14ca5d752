// SPDX-License-Identifier: Apache-2.0
#include "app/feed/pacer.hpp"

#include <algorithm>

namespace sluice::app {
namespace {

constexpr auto k_per_second = static_cast<std::uint64_t>(core::k_second);

// 128 bits: ten years of a billion a second do not overflow.
__extension__ using Wide = unsigned __int128;

}  // namespace

Pacer::Pacer(std::uint64_t rate, config::Pattern pattern, core::Nanoseconds start) noexcept
    : m_rate(rate), m_pattern(pattern), m_start(start) {}

std::uint64_t Pacer::due_by(core::Nanoseconds time) const noexcept {
  if (time < m_start) return 0;
  core::Nanoseconds elapsed = time - m_start;
  if (m_pattern == config::Pattern::ticked) elapsed -= elapsed % core::k_millisecond;
  const auto whole = static_cast<Wide>(elapsed) * m_rate / k_per_second;
  // An even pattern begins with a message at once; a ticked one with the first tick.
  return static_cast<std::uint64_t>(whole) + (m_pattern == config::Pattern::even ? 1 : 0);
}

std::uint64_t Pacer::take_due(core::Nanoseconds time) noexcept {
  const std::uint64_t due = due_by(time) - std::min(m_taken, due_by(time));
  m_taken += due;
  const std::uint64_t most = std::max<std::uint64_t>(m_rate / 10, 1);
  if (due <= most) return due;
  m_skipped += due - most;
  return most;
}

core::Nanoseconds Pacer::next() const noexcept {
  // The moment at which message number m_taken (from 0) falls due, rounded up.
  const std::uint64_t number = m_pattern == config::Pattern::even ? m_taken : m_taken + 1;
  const auto at = static_cast<core::Nanoseconds>(
      (static_cast<Wide>(number) * k_per_second + m_rate - 1) / m_rate);
  if (m_pattern == config::Pattern::even) return m_start + at;
  const core::Nanoseconds ticks = (at + core::k_millisecond - 1) / core::k_millisecond;
  return m_start + ticks * core::k_millisecond;
}

}  // namespace sluice::app
