// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sluice::config {

/// Every key with its default, range and help as Markdown, made from the settings table; stands in
/// config/README.md between `k_manual_begin` and `k_manual_end`.
[[nodiscard]] std::string manual();

constexpr const char* k_manual_begin =
    "<!-- keys: made by sluice-manual from the settings table -->\n";
constexpr const char* k_manual_end = "<!-- end of keys -->\n";

/// The text with what stands between the marks replaced; as it was where it has none.
[[nodiscard]] std::string with_manual(const std::string& readme);

}  // namespace sluice::config
