// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/options.hpp>

#include <string>
#include <vector>

namespace sluice::app {

/// In which order routes change when bound endpoints go from one to another. A plain value.
struct RouteOrder {
  std::vector<std::string> leave_first;  ///< gone, and another route wants what they hold
  std::vector<std::string> order;        ///< all of `after`: who gives before who takes
  std::vector<std::string> takers;       ///< get what another has given before them
};

/// Routes that exchange endpoints with each other stay in the order of `after`, as no order helps.
/// A route that goes and has sources in this process is not asked to leave first.
[[nodiscard]] RouteOrder route_order(const std::vector<RouteOptions>& before,
                                     const std::vector<RouteOptions>& after);

}  // namespace sluice::app
