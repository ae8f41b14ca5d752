// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sluice::config {

/// Writes `text` to `path` all at once: nobody ever reads half a file. What was there is kept
/// beside it first as `path`.bak, or .bak.2 and so on where that exists; mode and owner stay, a
/// symbolic link stays one. Gives the name of the copy, empty where there was no file. Throws
/// std::system_error, having changed nothing.
std::string replace_file(const std::string& path, const std::string& text);

}  // namespace sluice::config
