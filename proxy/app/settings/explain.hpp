// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/loaded.hpp"

#include <exception>
#include <string>

namespace sluice::app {

/// The text of what a route threw, with the place in the configuration that it is about:
/// "sluice.ini:12: tcp://127.0.0.1:5555: cannot bind: Address already in use".
[[nodiscard]] std::string explain(const std::exception& e, const config::LoadedConfig& config);

}  // namespace sluice::app
