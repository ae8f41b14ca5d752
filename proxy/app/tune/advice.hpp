// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/tune/search.hpp"
#include "config/edit.hpp"
#include "config/loaded.hpp"

#include <string>
#include <vector>

namespace sluice::app::tune {

/// One route to tune, and what it may use.
struct Subject {
  std::string route;
  std::vector<Engine> engines;  ///< that all its sinks can have
};

/// Throws UsageError where `wanted` is no route, or empty and there are several.
[[nodiscard]] Subject find_subject(const config::LoadedConfig& config, const std::string& wanted);

/// The settings of the recommendation that are not in force in `config` yet, with complete paths.
[[nodiscard]] std::vector<config::NewValue> changes(const config::LoadedConfig& config,
                                                    const Subject& subject, const Knobs& knobs);

struct Report {
  Subject subject;
  Workload workload;
  std::chrono::nanoseconds budget{};
  Findings findings;
  std::vector<config::NewValue> changes;
  double seconds = 0;
};
// Pure.
[[nodiscard]] std::string report_text(const Report& report);
[[nodiscard]] std::string report_json(const Report& report);

}  // namespace sluice::app::tune
