// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/loaded.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::config {

/// What a configuration is made of. Flags win over the environment, that over the file.
struct Sources {
  std::string path;  ///< the file; empty = no file, unless `text` is used
  std::string
      text;  ///< used instead of reading `path` (which then is only the name) when `use_text`
  bool use_text = false;
  std::vector<std::pair<std::string, std::string>> env;  ///< variables; only SLUICE_* are looked at
  std::vector<std::string> sets;  ///< "route.market.linger=1s", as given to --set
  std::string directory;          ///< for relative ipc paths; empty = the current one
  /// A reload: who asks for it waits, and a pipe has nothing more to say. Plain files only.
  bool again = false;
};

using LoadResult = std::variant<LoadedConfig, Errors>;

/// Reads, types and checks everything; opens nothing but the file. All errors found are given, in
/// the order of the file. Thread-safe; never throws on what it is given.
[[nodiscard]] LoadResult load(const Sources& sources);

/// The environment of this process as `Sources::env` wants it. For the program's main.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> process_environment();

}  // namespace sluice::config
