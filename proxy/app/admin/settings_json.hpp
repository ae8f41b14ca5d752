// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/loaded.hpp"

#include <string>

namespace sluice::app {

/// {"changes":true,"settings":[{"path","section","key","values","origin","change","live","type",
/// "default","allowed","choices","min","max","help"}]}: every setting in force with what the table
/// says about it; secrets as "(secret)". `changes`: whether POST may change any.
[[nodiscard]] std::string settings_json(const config::LoadedConfig& config, bool changes);

}  // namespace sluice::app
