// SPDX-License-Identifier: Apache-2.0
#include "core/subscription/union_upstream.hpp"

#include <algorithm>
#include <cstring>

namespace sluice::core {
namespace {

// ZMTP 3.0 (RFC 23): a subscription is a message whose first byte is 1 (subscribe) or 0 (cancel)
// and whose rest is the topic.
constexpr std::byte k_subscribe{1};
constexpr std::byte k_cancel{0};

void send_subscription(Frontend& frontend, std::byte verb, std::string_view topic) {
  Message message;
  Frame& frame = message.next();
  zmq_msg_close(frame.raw());
  if (zmq_msg_init_size(frame.raw(), topic.size() + 1) != 0) {
    zmq_msg_init(frame.raw());
    return;
  }
  auto* data = static_cast<std::byte*>(zmq_msg_data(frame.raw()));
  data[0] = verb;
  if (!topic.empty()) std::memcpy(data + 1, topic.data(), topic.size());
  message.push();
  frontend.send(message);  // upstream marks are unlimited: it cannot be full
}

}  // namespace

UnionUpstream::UnionUpstream(const RouteOptions& options, LoopCounters& counters)
    : m_route(options.name),
      m_max_topic(options.max_topic),
      m_on_event(options.on_event),
      m_counters(counters),
      m_topics(options.max_subscriptions) {
  for (const auto& topic : options.subscribe) m_topics.add(k_static_holder, topic);
}

void UnionUpstream::add(Frontend& frontend) {
  m_frontends.push_back(&frontend);
  m_topics.for_each(
      [&](std::string_view topic) { send_subscription(frontend, k_subscribe, topic); });
}

void UnionUpstream::remove(const Frontend& frontend) {
  std::erase(m_frontends, &frontend);
}

void UnionUpstream::tell(std::byte verb, std::string_view topic) {
  for (Frontend* frontend : m_frontends) send_subscription(*frontend, verb, topic);
}

void UnionUpstream::remove_sink(std::size_t sink) {
  m_topics.remove_all(sink, [this](std::string_view topic) { tell(k_cancel, topic); });
}

// First what comes: a topic that stays never leaves the sources.
void UnionUpstream::set_static(const std::vector<std::string>& before,
                               const std::vector<std::string>& after) {
  const auto has = [](const std::vector<std::string>& list, const std::string& topic) {
    return std::find(list.begin(), list.end(), topic) != list.end();
  };
  for (const auto& topic : after) {
    if (m_topics.add(k_static_holder, topic) == Subscriptions::Change::first) {
      tell(k_subscribe, topic);
    }
  }
  for (const auto& topic : before) {
    if (has(after, topic)) continue;
    if (m_topics.remove(k_static_holder, topic) == Subscriptions::Change::last) {
      tell(k_cancel, topic);
    }
  }
}

void UnionUpstream::refuse(std::size_t topic_size) {
  m_counters.topics_refused.add(1);
  if (m_refusal_reported || !m_on_event) return;
  m_refusal_reported = true;
  const std::string text =
      topic_size > m_max_topic
          ? "a subscription of " + std::to_string(topic_size) + " bytes is over max_topic (" +
                std::to_string(m_max_topic) + ") and does not travel upstream; counted from now on"
          : "max_subscriptions is reached (" + std::to_string(m_topics.size()) +
                " topics); further topics do not travel upstream; counted from now on";
  m_on_event(Event{Severity::warning, m_route, text});
}

Upstream::Sent UnionUpstream::take(std::size_t sink, Message& message) noexcept {
  const auto bytes = message.frame(0).bytes();
  const bool subscription =
      message.frames() == 1 && !bytes.empty() && (bytes[0] == k_subscribe || bytes[0] == k_cancel);
  if (!subscription) {
    m_counters.upstream_dropped_messages.add(1);
    return {};
  }
  const std::string_view topic{reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1};
  if (topic.size() > m_max_topic) {
    if (bytes[0] == k_subscribe) refuse(topic.size());
    return {};
  }
  const auto change =
      bytes[0] == k_subscribe ? m_topics.add(sink, topic) : m_topics.remove(sink, topic);
  if (change == Subscriptions::Change::refused) refuse(topic.size());
  if (change != Subscriptions::Change::first && change != Subscriptions::Change::last) return {};
  tell(bytes[0], topic);
  return {true, 1, bytes.size(), 0};
}

}  // namespace sluice::core
