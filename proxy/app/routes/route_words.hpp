// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/route.hpp>

#include <string>

namespace sluice::app {

/// Whether a route that stopped for `reason` was asked to.
[[nodiscard]] bool is_orderly(const std::string& reason);

/// "3 messages (12 bytes) received, ..."
[[nodiscard]] std::string totals(const Route& route);

/// "route market [source in inproc://a, sink out tcp://*:5555]"
[[nodiscard]] std::string endpoints(const Route& route);

}  // namespace sluice::app
