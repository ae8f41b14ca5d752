// SPDX-License-Identifier: Apache-2.0
#include "core/route/route_change.hpp"

#include "core/endpoint/endpoint_name.hpp"
#include "core/route/sink_factory.hpp"

#include <algorithm>
#include <utility>

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

std::vector<std::string> without(const std::vector<std::string>& list,
                                 const std::vector<std::string>& others) {
  std::vector<std::string> rest;
  for (const auto& one : list) {
    if (std::find(others.begin(), others.end(), one) == others.end()) rest.push_back(one);
  }
  return rest;
}

template <typename Options>
EndpointChange endpoints_between(const Options& before, const Options& after) {
  return {after.name, without(after.bind, before.bind), without(before.bind, after.bind),
          without(after.connect, before.connect), without(before.connect, after.connect)};
}

// Whether nothing but endpoints differs, and each may come or go by itself.
bool only_endpoints(const SourceOptions& before, const SourceOptions& after) {
  SourceOptions same = before;
  same.bind = after.bind;
  same.connect = after.connect;
  return same == after;
}
bool only_endpoints(const SinkOptions& before, const SinkOptions& after) {
  SinkOptions same = before;
  same.bind = after.bind;
  return same == after && !after.bind.empty() && sink::engine_of(before) == sink::engine_of(after);
}

template <typename Options>
bool uses(const Options& options, const std::string& endpoint) {
  const auto blocks = [&](const auto& mine) { return in_the_way(mine, endpoint); };
  return std::any_of(options.bind.begin(), options.bind.end(), blocks) ||
         std::any_of(options.connect.begin(), options.connect.end(), blocks);
}

bool uses(const RouteOptions& route, const std::string& endpoint) {
  const auto blocks = [&](const auto& part) { return uses(part, endpoint); };
  return std::any_of(route.sources.begin(), route.sources.end(), blocks) ||
         std::any_of(route.sinks.begin(), route.sinks.end(), blocks) ||
         (route.tap && uses(*route.tap, endpoint));
}

// What comes must not be in use, so that it can be opened while all else stands.
bool is_free(const EndpointChange& change, const RouteOptions& before) {
  const auto free = [&before](const auto& endpoint) { return !uses(before, endpoint); };
  return std::all_of(change.bind.begin(), change.bind.end(), free) &&
         std::all_of(change.connect.begin(), change.connect.end(), free);
}

// Whether somebody new wants what this part gives up.
bool is_wanted(const EndpointChange& change, const RouteChange& all) {
  const auto wanted = [&all](const std::string& endpoint) {
    const auto by = [&](const auto& part) { return uses(part, endpoint); };
    return std::any_of(all.new_sources.begin(), all.new_sources.end(), by) ||
           std::any_of(all.new_sinks.begin(), all.new_sinks.end(), by) ||
           (all.new_tap && uses(*all.new_tap, endpoint));
  };
  return std::any_of(change.unbind.begin(), change.unbind.end(), wanted) ||
         std::any_of(change.disconnect.begin(), change.disconnect.end(), wanted);
}

// Such a part is made again: it goes before the new ones come, and comes back if that fails.
template <typename Options>
bool make_again(RouteChange& all, std::vector<EndpointChange>& changes,
                std::vector<std::string>& old_parts, std::vector<Options>& new_parts,
                const std::vector<Options>& after) {
  const auto at = std::find_if(changes.begin(), changes.end(),
                               [&all](const auto& change) { return is_wanted(change, all); });
  if (at == changes.end()) return false;
  old_parts.push_back(at->name);
  new_parts.push_back(*find(after, at->name));
  changes.erase(at);
  return true;
}

std::string_view port_of(std::string_view address) noexcept {
  const auto colon = address.rfind(':');
  const auto port = colon == std::string_view::npos ? address : address.substr(colon + 1);
  return port == "*" || port == "0" ? std::string_view{} : port;
}

}  // namespace

bool RouteChange::empty() const noexcept {
  return old_sources.empty() && old_sinks.empty() && !old_tap && new_sources.empty() &&
         new_sinks.empty() && !new_tap && source_endpoints.empty() && sink_endpoints.empty() &&
         new_policies.empty() && old_topics == new_topics;
}

RouteChange difference(const RouteOptions& before, const RouteOptions& after) {
  RouteChange change;
  for (const auto& source : after.sources) {
    const auto* old = find(before.sources, source.name);
    if (old != nullptr && *old == source) continue;
    if (old != nullptr && only_endpoints(*old, source)) {
      auto endpoints = endpoints_between(*old, source);
      if (is_free(endpoints, before)) {
        change.source_endpoints.push_back(std::move(endpoints));
        continue;
      }
    }
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
    if (old != nullptr && only_endpoints(*old, sink)) {
      auto endpoints = endpoints_between(*old, sink);
      if (is_free(endpoints, before)) {
        change.sink_endpoints.push_back(std::move(endpoints));
        continue;
      }
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
  while (
      make_again(change, change.sink_endpoints, change.old_sinks, change.new_sinks, after.sinks) ||
      make_again(change, change.source_endpoints, change.old_sources, change.new_sources,
                 after.sources)) {
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
