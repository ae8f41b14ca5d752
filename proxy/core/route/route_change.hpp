// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/options.hpp>

#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// Endpoints of a source or sink that stays.
struct EndpointChange {
  std::string name;
  std::vector<std::string> bind;
  std::vector<std::string> unbind;
  std::vector<std::string> connect;  ///< sources only
  std::vector<std::string> disconnect;
};

/// What has to be done to a running route so that other options become true. A plain value.
struct RouteChange {
  /// By name: gone, or closed to be made again.
  std::vector<std::string> old_sources;
  std::vector<std::string> old_sinks;
  bool old_tap = false;
  /// New, or made again.
  std::vector<SourceOptions> new_sources;
  std::vector<SinkOptions> new_sinks;
  std::optional<TapOptions> new_tap;
  /// Those of which only endpoints come and go, and none of what comes is in use.
  std::vector<EndpointChange> source_endpoints;
  std::vector<EndpointChange> sink_endpoints;
  /// Sinks of which only the policy changes, in place.
  std::vector<SinkOptions> new_policies;
  std::vector<std::string> old_topics;
  std::vector<std::string> new_topics;
  /// The order in which they are shown.
  std::vector<std::string> source_order;
  std::vector<std::string> sink_order;

  [[nodiscard]] bool empty() const noexcept;
};

/// Names identify sources and sinks.
[[nodiscard]] RouteChange difference(const RouteOptions& before, const RouteOptions& after);

/// Whether something at `a` has to be closed before `b` can be opened, or would be heard twice.
/// May say yes where it need not.
[[nodiscard]] bool in_the_way(const std::string& a, const std::string& b);

}  // namespace sluice::core
