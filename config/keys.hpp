// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/load.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice::config {

/// A setting of a section.
struct KeyRef {
  std::size_t section = 0;  ///< index into `sections`
  const Setting* setting = nullptr;
  std::string path;  ///< complete: "route.market.inbound_poll_rate"
};

/// A key, or the text that says what is wrong and the nearest right thing.
using KeyResult = std::variant<KeyRef, std::string>;

/// `path` is kind.name.key; kind and name may be dropped where that leaves one meaning.
[[nodiscard]] KeyResult find_key(const std::vector<Section>& sections, std::string_view path);
[[nodiscard]] KeyResult find_key(const LoadedConfig& config, std::string_view path);

/// For GET: the canonical text; values of a repeatable key with a space between them; secrets as
/// "(secret)".
[[nodiscard]] std::string value_text(const LoadedConfig& config, const KeyRef& key);

/// For SET: a copy with one value changed and everything checked again, or why not. A setting that
/// is not live is refused by name.
[[nodiscard]] LoadResult with_value(const LoadedConfig& config, std::string_view path,
                                    std::string_view text);

/// True where SET may change it: what the table says, and for `on_full` only between drop and
/// disconnect of a sink that is not `engine = zmq`.
[[nodiscard]] bool is_live(const LoadedConfig& config, const KeyRef& key);

}  // namespace sluice::config
