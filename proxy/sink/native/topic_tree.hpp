// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/native/zmtp/greeting.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace sluice::sink {

class Group;

/// A topic, or a fork of several. Stays where it is while it has postings.
struct TopicNode {
  TopicNode* parent = nullptr;
  std::string label;                 ///< bytes from the parent to here
  std::string keys;                  ///< first byte of each child's label
  std::vector<TopicNode*> children;  ///< in the order of `keys`
  std::vector<Group*> postings;      ///< classes that have this topic

  [[nodiscard]] TopicNode* child(std::byte key) const noexcept {
    if (keys.empty()) return nullptr;
    const void* at = std::memchr(keys.data(), std::to_integer<int>(key), keys.size());
    if (at == nullptr) return nullptr;
    return children[static_cast<std::size_t>(static_cast<const char*>(at) - keys.data())];
  }
};

/// The topics in use as a radix tree of byte strings. A match walks the bytes of one message as far
/// as topics go that begin alike: the cost does not depend on other topics. No recursion, whatever
/// the length. Used by one thread.
class TopicTree {
 public:
  TopicTree() = default;
  ~TopicTree();
  TopicTree(const TopicTree&) = delete;
  TopicTree& operator=(const TopicTree&) = delete;

  /// The node of this topic, made if need be. Give it a posting or `prune` it.
  [[nodiscard]] TopicNode& insert(zmtp::Bytes topic);
  /// Null when there is no such node.
  [[nodiscard]] TopicNode* find(zmtp::Bytes topic) noexcept;
  /// Removes a node without postings, unless the tree forks there.
  void prune(TopicNode& node);
  [[nodiscard]] static std::string topic_of(const TopicNode& node);

  /// Calls `visit(node)` for every node with postings whose topic `bytes` begins with.
  template <typename Visit>
  void match(zmtp::Bytes bytes, Visit&& visit) const {
    const TopicNode* node = &m_root;
    for (;;) {
      if (!node->postings.empty()) visit(*node);
      if (bytes.empty()) return;
      node = node->child(bytes[0]);
      if (node == nullptr || node->label.size() > bytes.size() ||
          std::memcmp(node->label.data(), bytes.data(), node->label.size()) != 0) {
        return;
      }
      bytes = bytes.subspan(node->label.size());
    }
  }

 private:
  static void adopt(TopicNode& parent, TopicNode& child);
  static void replace(TopicNode& parent, const TopicNode& child, TopicNode& by) noexcept;
  TopicNode& fork(TopicNode& node, std::size_t at);
  void join(TopicNode& node);

  TopicNode m_root;
};

}  // namespace sluice::sink
