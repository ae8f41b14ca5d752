// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/native/topic_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::sink {

/// A set of topics with a hash that does not depend on the order in which they came: adding and
/// removing cost the same at any size. Open addressing over node addresses, linear below 9.
class TopicSet {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] std::uint64_t hash() const noexcept { return m_hash; }
  [[nodiscard]] bool contains(const TopicNode& node) const noexcept {
    return locate(&node) != k_nowhere;
  }
  /// The node must not be in.
  void insert(TopicNode& node);
  /// The node must be in.
  void erase(const TopicNode& node) noexcept;
  /// Takes any one out; null when empty. `resume` speeds up taking all: start with 0.
  [[nodiscard]] TopicNode* take_any(std::size_t& resume) noexcept;
  [[nodiscard]] bool same_as(const TopicSet& other) const noexcept;
  template <typename Visit>
  void each(Visit&& visit) const {
    for (TopicNode* node : m_slots) {
      if (node != nullptr) visit(*node);
    }
  }
  void clear() noexcept;

 private:
  static constexpr std::size_t k_nowhere = ~std::size_t{0};
  static constexpr std::size_t k_linear = 8;

  [[nodiscard]] static std::uint64_t mix(const TopicNode* node) noexcept {
    auto x = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(node));
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31U);
  }
  [[nodiscard]] bool linear() const noexcept { return m_slots.size() <= k_linear; }
  [[nodiscard]] std::size_t home(const TopicNode* node) const noexcept {
    return static_cast<std::size_t>(mix(node)) & (m_slots.size() - 1);
  }
  [[nodiscard]] std::size_t locate(const TopicNode* node) const noexcept;
  void place(TopicNode* node) noexcept;
  void close_gap(std::size_t hole) noexcept;
  void resize(std::size_t slots);

  std::vector<TopicNode*> m_slots;  // linear: packed; else a power of two, at most half full
  std::size_t m_size = 0;
  std::uint64_t m_hash = 0;
};

}  // namespace sluice::sink
