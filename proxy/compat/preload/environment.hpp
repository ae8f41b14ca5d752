// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compat/call.hpp"

#include <functional>
#include <string>
#include <vector>

namespace sluice::compat {

/// What the environment of a program under the preload asks for, and what in it is no use.
struct PreloadSettings {
  CallOptions options;
  std::vector<std::string> complaints;
};

/// SLUICE_INBOUND_POLL_RATE, SLUICE_MAX_COMMAND_DELAY and SLUICE_COALESCE_DELAY in the units of the
/// configuration file, SLUICE_MAX_TOPIC, SLUICE_ON_SIGNAL = return | continue. Bad values are left
/// out. `get` is getenv(3) or takes its place.
[[nodiscard]] PreloadSettings read_preload_settings(
    const std::function<const char*(const char*)>& get);

}  // namespace sluice::compat
