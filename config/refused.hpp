// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sluice::config {

/// Something that people look for and Sluice does not do.
struct Refused {
  std::string_view words;  ///< keys that ask for it, separated by spaces
  std::string_view what;
  std::string_view why;
};

/// The list, as it also stands in the manual.
[[nodiscard]] std::span<const Refused> refused() noexcept;
/// The text that refuses this key by name, or empty for a key that is not on the list.
[[nodiscard]] std::string refused_text(std::string_view key);

}  // namespace sluice::config
