// SPDX-License-Identifier: Apache-2.0
// The fan-out's subscriptions: who is in which class.
#include "sink/native/fanout.hpp"
#include "sink/native/zmtp/command.hpp"

#include <algorithm>
#include <memory>

namespace sluice::sink {
namespace {

/// Sets of this size are compared with others at once; larger ones rest before: moving a
/// subscriber between classes costs time in proportion to its set.
constexpr std::size_t k_small_set = 64;
/// Larger sets are not shared: whoever leaves a shared class takes a copy of the set along, which
/// must not hold up the loop.
constexpr std::size_t k_shared_set = 16'384;
constexpr core::Nanoseconds k_rest = 10 * core::k_millisecond;
constexpr core::Nanoseconds k_rest_per_topic = 10 * core::k_microsecond;
constexpr std::size_t k_slice = 256;  // topics between two looks at the clock

}  // namespace

Fanout::Fanout(const FanoutLimits& limits, OnFull policy, FanoutHandler& handler)
    : m_limits(limits),
      m_policy(policy),
      m_handler(handler),
      m_nothing(m_store, m_limits.queue, m_ready) {}

/// All streams have left.
Fanout::~Fanout() {
  for (Group* group : m_dissolving) delete group;
  if (m_segment != nullptr) m_store.unref(m_segment);
}

Group& Fanout::make_group() {
  auto made = std::make_unique<Group>(m_store, m_limits.queue, m_ready);
  ++m_group_count;
  return *made.release();
}

void Fanout::leave(Stream& stream) noexcept {
  if (m_blocker == &stream) m_blocker = nullptr;
  make_unready(stream);
  Group& group = *stream.group;
  group.remove(stream);
  if (group.size() == 0) retire(group);
}

/// Without members: no message reaches it any more; its topics go in slices.
void Fanout::retire(Group& group) noexcept {
  if (&group == &m_nothing) return;
  forget(group);
  m_dissolving.push_back(&group);
}

void Fanout::unregister(Group& group) noexcept {
  if (!group.registered) return;
  group.registered = false;
  m_settled.erase(group.topics.hash());
}

void Fanout::forget(Group& group) noexcept {
  unregister(group);
  if (group.settle_at != 0) std::erase(m_unsettled, &group);
  group.settle_at = 0;
  if (group.dirty_hook.linked) m_dirty.erase(group);
}

/// The stream's class, changed to one that it shares with nobody.
Group& Fanout::own_group(Stream& stream) {
  Group& old = *stream.group;
  if (&old != &m_nothing && old.size() == 1) {
    unregister(old);
    return old;
  }
  Group& group = make_group();
  old.topics.each([&](TopicNode& node) {
    group.topics.insert(node);
    node.postings.push_back(&group);
  });
  m_memberships += group.topics.size();
  group.take_over(old, stream);
  return group;
}

Fanout::Subscribed Fanout::subscribe(Stream& stream, zmtp::Bytes topic) {
  TopicNode* node = m_tree.find(topic);
  if (node != nullptr && stream.group->topics.contains(*node)) return Subscribed::done;
  const bool is_new = node == nullptr || node->postings.empty();
  if ((is_new && m_topics >= m_limits.max_topics) || m_memberships >= m_limits.max_memberships) {
    return Subscribed::refused;
  }
  Group& group = own_group(stream);
  add_topic(group, m_tree.insert(topic));
  changed(group);
  if (is_new) m_handler.on_topic(true, std::string{zmtp::as_text(topic)});
  return Subscribed::done;
}

void Fanout::cancel(Stream& stream, zmtp::Bytes topic) {
  TopicNode* node = m_tree.find(topic);
  if (node == nullptr || !stream.group->topics.contains(*node)) return;
  Group& group = own_group(stream);
  drop_topic(group, *node);
  changed(group);
}

void Fanout::add_topic(Group& group, TopicNode& node) {
  group.topics.insert(node);
  if (node.postings.empty()) ++m_topics;
  node.postings.push_back(&group);
  ++m_memberships;
}

void Fanout::drop_topic(Group& group, TopicNode& node) {
  group.topics.erase(node);
  remove_posting(group, node);
}

void Fanout::remove_posting(Group& group, TopicNode& node) {
  auto& postings = node.postings;
  const auto at = std::find(postings.rbegin(), postings.rend(), &group);
  *at = postings.back();
  postings.pop_back();
  --m_memberships;
  if (!postings.empty()) return;
  --m_topics;
  std::string topic = TopicTree::topic_of(node);
  m_tree.prune(node);
  m_handler.on_topic(false, std::move(topic));
}

void Fanout::changed(Group& group) {
  if (group.settle_at == 0) m_unsettled.push_back(&group);
  group.settle_at =
      core::now() + k_rest + static_cast<core::Nanoseconds>(group.topics.size()) * k_rest_per_topic;
  m_settle_at = std::min(m_settle_at, group.settle_at);
}

void Fanout::settle(Stream& stream) {
  Group& group = *stream.group;
  if (group.settle_at != 0 && group.topics.size() <= k_small_set) try_merge(group);
}

/// Joins the class with the same set, if there is one; else becomes the one that others join.
/// False: later, it still has something queued.
bool Fanout::try_merge(Group& group) {
  Group* same = nullptr;
  if (group.topics.size() == 0) {
    same = &m_nothing;
  } else if (group.topics.size() > k_shared_set) {
    same = &group;
  } else if (const auto at = m_settled.find(group.topics.hash()); at != m_settled.end()) {
    same = at->second;
    if (!same->topics.same_as(group.topics)) same = &group;  // equal hashes, stays alone
  }
  if (same == nullptr) {
    m_settled.emplace(group.topics.hash(), &group);
    group.registered = true;
  } else if (same != &group) {
    Stream* member = group.only_caught_up();
    if (member == nullptr) return false;
    group.hand_over(*member, *same);
    retire(group);
    return true;
  }
  std::erase(m_unsettled, &group);
  group.settle_at = 0;
  return true;
}

bool Fanout::tidy(core::Nanoseconds now, core::Nanoseconds deadline) {
  for (std::size_t i = 0; i < m_unsettled.size();) {
    Group& group = *m_unsettled[i];
    if (group.settle_at > now) {
      ++i;
    } else if (!try_merge(group)) {
      group.settle_at = now + k_rest;
      ++i;
    } else if (core::now() >= deadline) {
      m_settle_at = now;
      return false;
    }
  }
  m_settle_at = core::k_never;
  for (const Group* group : m_unsettled) m_settle_at = std::min(m_settle_at, group->settle_at);
  return dissolve_some(deadline);
}

bool Fanout::dissolve_some(core::Nanoseconds deadline) {
  while (!m_dissolving.empty()) {
    Group* group = m_dissolving.back();
    for (std::size_t n = 0; n < k_slice; ++n) {
      TopicNode* node = group->topics.take_any(group->dissolve_resume);
      if (node == nullptr) {
        m_dissolving.pop_back();
        delete group;
        --m_group_count;
        break;
      }
      remove_posting(*group, *node);
    }
    if (core::now() >= deadline) return m_dissolving.empty();
  }
  return true;
}

}  // namespace sluice::sink
