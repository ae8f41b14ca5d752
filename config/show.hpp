// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/loaded.hpp"

#include <string>
#include <vector>

namespace sluice::config {

/// One effective setting, for JSON and tables.
struct Row {
  std::string path;                 ///< "sink.edge.send_hwm"
  std::vector<std::string> values;  ///< canonical; one for each of a repeatable key, none if unset
  std::string origin;               ///< as `Place::text`
  std::string change;               ///< "live", "recreate" or "restart"
};

/// The effective settings; secrets are "(secret)".
[[nodiscard]] std::vector<Row> rows(const LoadedConfig& config);

/// The effective settings as a file that can be loaded again, each with its origin as a comment.
[[nodiscard]] std::string show(const LoadedConfig& config);

}  // namespace sluice::config
