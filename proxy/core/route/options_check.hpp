// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/options.hpp>

namespace sluice::core {

/// Throw ConfigError naming the field, its value and what is allowed. Open nothing.
void check(const Tuning& tuning, const std::string& prefix = {});
void check(const RouteOptions& options);

}  // namespace sluice::core
