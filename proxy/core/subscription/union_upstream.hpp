// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/loop/frontend.hpp"
#include "core/loop/loop_counters.hpp"
#include "core/loop/upstream.hpp"
#include "core/subscription/subscriptions.hpp"

#include <sluice/options.hpp>

#include <string>
#include <vector>

namespace sluice::core {

/// Upstream of a Route: merges the sinks' subscriptions and keeps every source at the union,
/// however late it comes. Topics over the limits stay behind; user messages from subscribers are
/// dropped. Both are counted. On the loop's thread.
class UnionUpstream final : public Upstream {
 public:
  UnionUpstream(const RouteOptions& options, LoopCounters& counters);

  /// Gives the frontend the complete set and keeps it up to date until `remove`.
  void add(Frontend& frontend);
  void remove(const Frontend& frontend);

  /// The sink has gone: what only it had leaves the union.
  void remove_sink(std::size_t sink);
  /// Replaces the static subscriptions.
  void set_static(const std::vector<std::string>& before, const std::vector<std::string>& after);

  Sent take(std::size_t sink, Message& message) noexcept override;
  /// Distinct topics that one sink has.
  [[nodiscard]] std::size_t topics(std::size_t sink) const noexcept { return m_topics.size(sink); }

 private:
  // The holder number of the static list; sinks have 0 to 62.
  static constexpr std::size_t k_static_holder = 63;

  void tell(std::byte verb, std::string_view topic);
  void refuse(std::size_t topic_size);

  std::string m_route;
  std::size_t m_max_topic;
  EventHandler m_on_event;
  LoopCounters& m_counters;
  Subscriptions m_topics;
  std::vector<Frontend*> m_frontends;
  bool m_refusal_reported = false;
};

}  // namespace sluice::core
