// SPDX-License-Identifier: Apache-2.0
#include "sink/native/topic_set.hpp"

#include <algorithm>
#include <utility>

namespace sluice::sink {

std::size_t TopicSet::locate(const TopicNode* node) const noexcept {
  if (linear()) {
    const auto at = std::find(m_slots.begin(), m_slots.end(), node);
    return at == m_slots.end() ? k_nowhere : static_cast<std::size_t>(at - m_slots.begin());
  }
  const std::size_t mask = m_slots.size() - 1;
  for (std::size_t i = home(node);; i = (i + 1) & mask) {
    if (m_slots[i] == node) return i;
    if (m_slots[i] == nullptr) return k_nowhere;
  }
}

void TopicSet::place(TopicNode* node) noexcept {
  const std::size_t mask = m_slots.size() - 1;
  std::size_t i = home(node);
  while (m_slots[i] != nullptr) i = (i + 1) & mask;
  m_slots[i] = node;
}

void TopicSet::resize(std::size_t slots) {
  std::vector<TopicNode*> old(slots, nullptr);
  old.swap(m_slots);
  for (TopicNode* node : old) {
    if (node != nullptr) place(node);
  }
}

void TopicSet::insert(TopicNode& node) {
  if (linear() && m_size < k_linear) {
    m_slots.push_back(&node);
  } else {
    if (linear()) {
      resize(4 * k_linear);
    } else if (2 * (m_size + 1) > m_slots.size()) {
      resize(2 * m_slots.size());
    }
    place(&node);
  }
  ++m_size;
  m_hash += mix(&node);
}

/// Moves up what would not be found any more across the empty slot.
void TopicSet::close_gap(std::size_t hole) noexcept {
  const std::size_t mask = m_slots.size() - 1;
  for (std::size_t i = (hole + 1) & mask; m_slots[i] != nullptr; i = (i + 1) & mask) {
    const std::size_t distance = (i - home(m_slots[i])) & mask;
    if (distance >= ((i - hole) & mask)) {
      m_slots[hole] = std::exchange(m_slots[i], nullptr);
      hole = i;
    }
  }
}

void TopicSet::erase(const TopicNode& node) noexcept {
  const std::size_t at = locate(&node);
  if (at == k_nowhere) return;
  --m_size;
  m_hash -= mix(&node);
  if (linear()) {
    m_slots[at] = m_slots.back();
    m_slots.pop_back();
    return;
  }
  m_slots[at] = nullptr;
  close_gap(at);
  if (m_size == 0) clear();
}

TopicNode* TopicSet::take_any(std::size_t& resume) noexcept {
  for (; resume < m_slots.size(); ++resume) {
    TopicNode* node = m_slots[resume];
    if (node == nullptr) continue;
    // Without closing the gap: whoever takes all looks nothing up.
    m_slots[resume] = nullptr;
    --m_size;
    m_hash -= mix(node);
    return node;
  }
  clear();
  return nullptr;
}

bool TopicSet::same_as(const TopicSet& other) const noexcept {
  if (m_size != other.m_size || m_hash != other.m_hash) return false;
  return std::all_of(m_slots.begin(), m_slots.end(), [&other](const TopicNode* node) {
    return node == nullptr || other.contains(*node);
  });
}

void TopicSet::clear() noexcept {
  std::vector<TopicNode*>{}.swap(m_slots);
  m_size = 0;
  m_hash = 0;
}

}  // namespace sluice::sink
