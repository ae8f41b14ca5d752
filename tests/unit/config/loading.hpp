// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/config.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace sluice::config::test {

/// A route with one sink and one source, to add lines to.
inline const std::string k_small =
    "[route market]\n"                // 1
    "[source feed]\n"                 // 2
    "bind = tcp://127.0.0.1:7001\n"   // 3
    "[sink edge]\n"                   // 4
    "bind = tcp://127.0.0.1:7002\n";  // 5; what is added belongs to the sink, from line 6

inline Sources sources(std::string text) {
  Sources made;
  made.path = "t.ini";
  made.text = std::move(text);
  made.use_text = true;
  made.directory = "/run/t";
  return made;
}

inline std::string lines(const Errors& errors) {
  std::string text;
  for (const Error& error : errors) text += error.to_string() + "\n";
  return text;
}

/// The errors as lines, or "" where it loads.
inline std::string errors_of(const Sources& from) {
  const LoadResult result = load(from);
  const auto* errors = std::get_if<Errors>(&result);
  return errors == nullptr ? std::string{} : lines(*errors);
}
inline std::string errors_of(const std::string& text) {
  return errors_of(sources(text));
}

/// Loads; a failure of the test where it cannot.
inline LoadedConfig loaded(const Sources& from) {
  LoadResult result = load(from);
  if (auto* config = std::get_if<LoadedConfig>(&result)) return std::move(*config);
  ADD_FAILURE() << lines(std::get<Errors>(result));
  return {};
}
inline LoadedConfig loaded(const std::string& text) {
  return loaded(sources(text));
}

/// The canonical text of one setting.
inline std::string get(const LoadedConfig& config, const std::string& path) {
  const KeyResult found = find_key(config, path);
  if (const auto* why = std::get_if<std::string>(&found)) return "? " + *why;
  return value_text(config, std::get<KeyRef>(found));
}

/// Where one setting comes from.
inline std::string origin(const LoadedConfig& config, const std::string& path) {
  for (const Row& row : rows(config)) {
    if (row.path == path) return row.origin;
  }
  return "?";
}

}  // namespace sluice::config::test
