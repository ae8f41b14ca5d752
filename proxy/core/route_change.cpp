// SPDX-License-Identifier: Apache-2.0
#include "core/route_change.hpp"

#include "core/endpoint_name.hpp"
#include "sink/factory.hpp"

#include <algorithm>

namespace sluice::core {
namespace {

template <typename T>
const T* find(const std::vector<T>& list, const std::string& name) {
  const auto at =
      std::find_if(list.begin(), list.end(), [&](const T& item) { return item.name == name; });
  return at == list.end() ? nullptr : &*at;
}

// on_full: block is built into the sockets, and libzmq has no disconnect.
bool only_policy(const SinkOptions& before, const SinkOptions& after) {
  if (before.on_full == OnFull::block || after.on_full == OnFull::block) return false;
  if (sink::engine_of(after) != Engine::native) return false;
  SinkOptions same = before;
  same.on_full = after.on_full;
  return same == after;
}

std::string_view port_of(std::string_view address) noexcept {
  const auto colon = address.rfind(':');
  const auto port = colon == std::string_view::npos ? address : address.substr(colon + 1);
  return port == "*" || port == "0" ? std::string_view{} : port;
}

}  // namespace

bool RouteChange::empty() const noexcept {
  return old_sources.empty() && old_sinks.empty() && !old_tap && new_sources.empty() &&
         new_sinks.empty() && !new_tap && new_policies.empty() && old_topics == new_topics;
}

RouteChange difference(const RouteOptions& before, const RouteOptions& after) {
  RouteChange change;
  for (const auto& source : after.sources) {
    const auto* old = find(before.sources, source.name);
    if (old != nullptr && *old == source) continue;
    if (old != nullptr) change.old_sources.push_back(source.name);
    change.new_sources.push_back(source);
  }
  for (const auto& source : before.sources) {
    if (find(after.sources, source.name) == nullptr) change.old_sources.push_back(source.name);
  }
  for (const auto& sink : after.sinks) {
    const auto* old = find(before.sinks, sink.name);
    if (old != nullptr && *old == sink) continue;
    if (old != nullptr && only_policy(*old, sink)) {
      change.new_policies.push_back(sink);
      continue;
    }
    if (old != nullptr) change.old_sinks.push_back(sink.name);
    change.new_sinks.push_back(sink);
  }
  for (const auto& sink : before.sinks) {
    if (find(after.sinks, sink.name) == nullptr) change.old_sinks.push_back(sink.name);
  }
  if (before.tap != after.tap) {
    change.old_tap = before.tap.has_value();
    change.new_tap = after.tap;
  }
  for (const auto& source : after.sources) change.source_order.push_back(source.name);
  for (const auto& sink : after.sinks) change.sink_order.push_back(sink.name);
  change.old_topics = before.subscribe;
  change.new_topics = after.subscribe;
  return change;
}

bool in_the_way(const std::string& a, const std::string& b) {
  const auto transport = transport_of(a);
  if (transport != transport_of(b)) return false;
  const auto first = address_of(a);
  const auto second = address_of(b);
  if (transport == Transport::tcp) {
    const auto port = port_of(first);
    return !port.empty() && port == port_of(second);
  }
  return first != "*" && normalised(a) == normalised(b);
}

}  // namespace sluice::core
