// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/load.hpp"

#include <string>
#include <variant>
#include <vector>

namespace sluice::config {

/// A setting by its complete path, and the text it is to have.
struct NewValue {
  std::string path;  ///< "route.market.coalesce_delay"
  std::string text;
};

/// The text of a configuration file, or why it cannot be had.
using EditResult = std::variant<std::string, Errors>;

/// `text`, the contents of `file`, with these values. Only lines of these keys change: a line keeps
/// its place, indentation and comment; a key that the file has not is inserted below the header of
/// its section (or, for the route of a file without one, before everything else). The result is
/// loaded and checked. Pure.
[[nodiscard]] EditResult with_lines(const std::string& file, const std::string& text,
                                    const std::vector<NewValue>& values);

}  // namespace sluice::config
