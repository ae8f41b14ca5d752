// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sluice::config {

struct Setting;

/// Every key with its default, range and help as Markdown, made from the settings table; stands in
/// config/README.md between `k_manual_begin` and `k_manual_end`.
[[nodiscard]] std::string manual();

/// "count, 1 to 1000000000", "one of: drop or block", with what may be repeated.
[[nodiscard]] std::string type_text(const Setting& setting);

constexpr const char* k_manual_begin =
    "<!-- keys: made by sluice-manual from the settings table -->\n";
constexpr const char* k_manual_end = "<!-- end of keys -->\n";

/// The text with what stands between the marks replaced; as it was where it has none.
[[nodiscard]] std::string with_manual(const std::string& readme);

}  // namespace sluice::config
