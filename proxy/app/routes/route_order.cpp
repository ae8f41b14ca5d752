// SPDX-License-Identifier: Apache-2.0
#include "app/routes/route_order.hpp"

#include "core/route/route_change.hpp"

#include <algorithm>
#include <string_view>

namespace sluice::app {
namespace {

using Texts = std::vector<std::string>;

bool is_local(const std::string& endpoint) {
  return std::string_view(endpoint).substr(0, 9) == "inproc://";
}

/// What a route has bound for other processes.
Texts held_by(const RouteOptions& route) {
  Texts all;
  const auto add = [&all](const Texts& more) { all.insert(all.end(), more.begin(), more.end()); };
  for (const SourceOptions& source : route.sources) add(source.bind);
  for (const SinkOptions& sink : route.sinks) add(sink.bind);
  if (route.tap) add(route.tap->bind);
  std::erase_if(all, is_local);
  return all;
}

bool has_feeds(const RouteOptions& route) {
  return std::any_of(route.sources.begin(), route.sources.end(), [](const SourceOptions& source) {
    return std::any_of(source.bind.begin(), source.bind.end(), is_local);
  });
}

bool holds(const Texts& endpoints, const std::string& wanted) {
  return std::any_of(endpoints.begin(), endpoints.end(),
                     [&](const std::string& held) { return core::in_the_way(held, wanted); });
}

const RouteOptions* find(const std::vector<RouteOptions>& routes, const std::string& name) {
  const auto at = std::find_if(routes.begin(), routes.end(),
                               [&](const RouteOptions& route) { return route.name == name; });
  return at == routes.end() ? nullptr : &*at;
}

/// The names of the other routes that hold what this one will bind.
Texts givers_to(const RouteOptions& taker, const std::vector<RouteOptions>& before) {
  Texts wanted = held_by(taker);
  if (const RouteOptions* own = find(before, taker.name)) {
    const Texts held = held_by(*own);
    std::erase_if(wanted, [&](const std::string& endpoint) {
      return std::find(held.begin(), held.end(), endpoint) != held.end();
    });
  }
  Texts names;
  for (const RouteOptions& other : before) {
    if (other.name == taker.name) continue;
    const Texts held = held_by(other);
    const auto gives = [&held](const std::string& endpoint) { return holds(held, endpoint); };
    if (std::any_of(wanted.begin(), wanted.end(), gives)) names.push_back(other.name);
  }
  return names;
}

bool has(const Texts& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

RouteOrder route_order(const std::vector<RouteOptions>& before,
                       const std::vector<RouteOptions>& after) {
  struct Node {
    std::string name;
    Texts givers;  // those that stay
    bool takes = false;
  };
  RouteOrder out;
  std::vector<Node> left;
  for (const RouteOptions& route : after) {
    Node node{route.name, givers_to(route, before), false};
    node.takes = !node.givers.empty();
    std::erase_if(node.givers, [&](const std::string& name) {
      if (find(after, name) != nullptr) return false;
      if (!has(out.leave_first, name) && !has_feeds(*find(before, name)))
        out.leave_first.push_back(name);
      return true;
    });
    left.push_back(std::move(node));
  }
  while (!left.empty()) {
    const auto is_free = [&left](const Node& node) {
      return std::none_of(left.begin(), left.end(),
                          [&](const Node& other) { return has(node.givers, other.name); });
    };
    auto next = std::find_if(left.begin(), left.end(), is_free);
    const bool in_order = next != left.end();
    if (!in_order) next = left.begin();
    if (next->takes && in_order) out.takers.push_back(next->name);
    out.order.push_back(next->name);
    left.erase(next);
  }
  return out;
}

}  // namespace sluice::app
