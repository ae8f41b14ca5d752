// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/load/run.hpp"

#include <string>

namespace sluice::app::load {

// Pure.
[[nodiscard]] std::string report_text(const Options& options, const Result& result);
[[nodiscard]] std::string report_json(const Options& options, const Result& result);
/// A header and a row, both with a line end.
[[nodiscard]] std::string report_csv(const Options& options, const Result& result);

}  // namespace sluice::app::load
