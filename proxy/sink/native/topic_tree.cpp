// SPDX-License-Identifier: Apache-2.0
#include "sink/native/topic_tree.hpp"

#include "sink/native/zmtp/command.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace sluice::sink {
namespace {

std::size_t common(std::string_view a, std::string_view b) noexcept {
  const auto [end, ignored] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(end - a.begin());
}

std::size_t place_of(const TopicNode& parent, const TopicNode& child) noexcept {
  return parent.keys.find(child.label[0]);
}

}  // namespace

TopicTree::~TopicTree() {
  TopicNode* node = &m_root;
  for (;;) {
    if (!node->children.empty()) {
      TopicNode* child = node->children.back();
      node->children.pop_back();
      node = child;
    } else if (node == &m_root) {
      return;
    } else {
      delete std::exchange(node, node->parent);
    }
  }
}

void TopicTree::adopt(TopicNode& parent, TopicNode& child) {
  parent.keys.push_back(child.label[0]);
  parent.children.push_back(&child);
  child.parent = &parent;
}

void TopicTree::replace(TopicNode& parent, const TopicNode& child, TopicNode& by) noexcept {
  parent.children[place_of(parent, child)] = &by;
  by.parent = &parent;
}

/// Puts a new node into the edge that leads to `node`, `at` bytes below the parent.
TopicNode& TopicTree::fork(TopicNode& node, std::size_t at) {
  auto made = std::make_unique<TopicNode>();
  made->label = node.label.substr(0, at);
  TopicNode& middle = *made.release();
  replace(*node.parent, node, middle);
  node.label.erase(0, at);
  adopt(middle, node);
  return middle;
}

TopicNode& TopicTree::insert(zmtp::Bytes topic) {
  std::string_view rest = zmtp::as_text(topic);
  TopicNode* node = &m_root;
  while (!rest.empty()) {
    TopicNode* next = node->child(static_cast<std::byte>(rest[0]));
    if (next == nullptr) {
      auto made = std::make_unique<TopicNode>();
      made->label = rest;
      adopt(*node, *made);
      return *made.release();
    }
    const std::size_t same = common(next->label, rest);
    node = same < next->label.size() ? &fork(*next, same) : next;
    rest.remove_prefix(same);
  }
  return *node;
}

TopicNode* TopicTree::find(zmtp::Bytes topic) noexcept {
  std::string_view rest = zmtp::as_text(topic);
  TopicNode* node = &m_root;
  while (!rest.empty()) {
    node = node->child(static_cast<std::byte>(rest[0]));
    if (node == nullptr || !rest.starts_with(node->label)) return nullptr;
    rest.remove_prefix(node->label.size());
  }
  return node;
}

/// Takes a node that neither has postings nor forks out of the edge it stands in.
void TopicTree::join(TopicNode& node) {
  TopicNode& child = *node.children[0];
  child.label.insert(0, node.label);
  replace(*node.parent, node, child);
  delete &node;
}

void TopicTree::prune(TopicNode& node) {
  if (&node == &m_root || !node.postings.empty() || node.children.size() > 1) return;
  if (node.children.size() == 1) {
    join(node);
    return;
  }
  TopicNode& parent = *node.parent;
  const std::size_t place = place_of(parent, node);
  parent.keys[place] = parent.keys.back();
  parent.keys.pop_back();
  parent.children[place] = parent.children.back();
  parent.children.pop_back();
  delete &node;
  if (&parent != &m_root && parent.postings.empty() && parent.children.size() == 1) join(parent);
}

std::string TopicTree::topic_of(const TopicNode& node) {
  std::vector<const TopicNode*> way;
  for (const TopicNode* n = &node; n != nullptr; n = n->parent) way.push_back(n);
  std::string topic;
  for (auto n = way.rbegin(); n != way.rend(); ++n) topic.append((*n)->label);
  return topic;
}

}  // namespace sluice::sink
