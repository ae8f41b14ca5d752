// SPDX-License-Identifier: Apache-2.0
#include "core/subscription/subscriptions.hpp"

namespace sluice::core {
namespace {

std::uint64_t bit(std::size_t holder) noexcept {
  return std::uint64_t{1} << holder;
}

}  // namespace

Subscriptions::Change Subscriptions::add(std::size_t holder, std::string_view topic) {
  auto it = m_topics.find(topic);
  const bool first = it == m_topics.end();
  if (first) {
    if (m_topics.size() >= m_limit) return Change::refused;
    it = m_topics.emplace(topic, 0).first;
  }
  if ((it->second & bit(holder)) == 0) ++m_held[holder];
  it->second |= bit(holder);
  return first ? Change::first : Change::none;
}

Subscriptions::Change Subscriptions::remove(std::size_t holder, std::string_view topic) {
  const auto it = m_topics.find(topic);
  if (it == m_topics.end() || (it->second & bit(holder)) == 0) return Change::none;
  --m_held[holder];
  it->second &= ~bit(holder);
  if (it->second != 0) return Change::none;
  m_topics.erase(it);
  return Change::last;
}

}  // namespace sluice::core
