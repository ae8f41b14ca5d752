// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/place.hpp"
#include "config/reader.hpp"
#include "config/value.hpp"

#include <string>
#include <utility>
#include <vector>

namespace sluice::config {

/// A text that somebody gave to a setting.
struct Assignment {
  const Setting* setting = nullptr;
  std::string text;
  Place place;
};

/// A section on its way: whose it is, and all that was said about it, not yet typed.
struct Draft {
  Section section;  ///< without values
  std::vector<Assignment> assignments;
};

/// The file's sections with known kinds, names and keys; the only route, [log] and [process] are
/// there even where the file has none.
[[nodiscard]] std::vector<Draft> draft_sections(const Document& document, Errors& errors);

/// Adds what --set says; a complete path may make a section that the file has not.
void apply_flags(std::vector<Draft>& drafts, const std::vector<std::string>& sets, Errors& errors);

/// Adds what SLUICE_* variables say. Unknown and ambiguous ones are warnings.
void apply_environment(std::vector<Draft>& drafts,
                       const std::vector<std::pair<std::string, std::string>>& variables,
                       std::vector<Warning>& warnings);

/// Types and validates: gives each section a value for each of its settings, the strongest origin
/// winning. Boost.Program_options does it, from options made of the settings table.
[[nodiscard]] std::vector<Section> type_sections(const std::vector<Draft>& drafts, Errors& errors);

}  // namespace sluice::config
