// SPDX-License-Identifier: Apache-2.0
#include "app/log/repeat_filter.hpp"

#include <functional>

namespace sluice::app {

std::optional<std::uint64_t> RepeatFilter::admit(std::string_view text,
                                                 core::Nanoseconds time) noexcept {
  const std::size_t hash = std::hash<std::string_view>{}(text);
  Slot& slot = m_slots[hash % m_slots.size()];
  if (slot.seen == 0 || slot.hash != hash) {
    slot = {hash, time, 1, 0};
    return 0;
  }
  if (time - slot.since >= k_interval) {
    const std::uint64_t held_back = slot.held_back;
    slot = {hash, time, 1, 0};
    return held_back;
  }
  if (slot.seen < k_passing) {
    ++slot.seen;
    return 0;
  }
  ++slot.held_back;
  return {};
}

}  // namespace sluice::app
