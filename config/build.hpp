// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/load.hpp"

#include <string>
#include <vector>

namespace sluice::config {

/// Turns typed sections into options: resolves routes and endpoints (in the sections too) and
/// checks what spans several settings. All errors found are given.
/// `keys`: a configuration whose key files were read already, where they shall not be read again.
[[nodiscard]] LoadResult build(std::vector<Section> sections, const std::string& directory,
                               const LoadedConfig* keys = nullptr);

/// Fills in the route of sections that name none, and finds names that no route has.
void resolve_routes(std::vector<Section>& sections, Errors& errors);

/// Makes ipc paths absolute and refuses endpoints that cannot work: one by one, and those that
/// clash with each other.
void check_endpoints(std::vector<Section>& sections, const std::string& directory, Errors& errors,
                     std::vector<Warning>& warnings);

/// Combinations of settings that cannot work, or have no effect (warnings).
void check_combinations(const std::vector<Section>& sections, Errors& errors,
                        std::vector<Warning>& warnings);

/// Options of a section whose values have been checked.
[[nodiscard]] sluice::RouteOptions route_options(const Section& section);
[[nodiscard]] sluice::SourceOptions source_options(const Section& section);
[[nodiscard]] sluice::SinkOptions sink_options(const Section& section);
[[nodiscard]] sluice::TapOptions tap_options(const Section& section);
[[nodiscard]] GeneratorOptions generator_options(const Section& section);
[[nodiscard]] PluginOptions plugin_options(const Section& section);
[[nodiscard]] ControlOptions control_options(const Section& section);
[[nodiscard]] AdminOptions admin_options(const Section& section);
[[nodiscard]] LogOptions log_options(const Section& section);
[[nodiscard]] ProcessOptions process_options(const Section& section);

}  // namespace sluice::config
