// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sluice::core {

/// The union of the subscriptions of up to 64 holders (sinks, and the static list as one more).
/// Topics are byte strings. A topic counts once per holder. Used by one thread.
class Subscriptions {
 public:
  explicit Subscriptions(std::size_t limit) : m_limit(limit) {}

  enum class Change : std::uint8_t {
    none,     ///< the union is the same
    first,    ///< the topic is new in the union: it goes upstream
    last,     ///< the topic has left the union: so does that
    refused,  ///< over the limit of distinct topics
  };

  Change add(std::size_t holder, std::string_view topic);
  /// Removing what is not there changes nothing.
  Change remove(std::size_t holder, std::string_view topic);

  /// Removes all of one holder; `visit` is given each topic that leaves the union with that.
  template <typename Visit>
  void remove_all(std::size_t holder, Visit&& visit) {
    const std::uint64_t bit = std::uint64_t{1} << holder;
    for (auto it = m_topics.begin(); it != m_topics.end();) {
      it->second &= ~bit;
      if (it->second == 0) {
        visit(std::string_view{it->first});
        it = m_topics.erase(it);
      } else {
        ++it;
      }
    }
    m_held[holder] = 0;
  }

  [[nodiscard]] std::size_t size() const noexcept { return m_topics.size(); }
  /// Topics of one holder.
  [[nodiscard]] std::size_t size(std::size_t holder) const noexcept { return m_held[holder]; }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const auto& [topic, holders] : m_topics) visit(std::string_view{topic});
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::size_t m_limit;
  std::array<std::size_t, 64> m_held{};
  std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> m_topics;
};

}  // namespace sluice::core
