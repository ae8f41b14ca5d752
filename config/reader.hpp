// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/place.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

/// `key = value` as it stands: the value still in its quotes, without the comment.
struct RawEntry {
  std::string key;
  std::string text;
  Place place;
};

/// `[kind]` or `[kind name]` with what follows it; the first one of a document has no kind and
/// holds the keys before any section.
struct RawSection {
  std::string kind;
  std::string name;
  Place place;
  std::vector<RawEntry> entries;
};

struct Document {
  std::vector<RawSection> sections;
};

constexpr std::size_t k_longest_line = 64U << 10U;
constexpr std::size_t k_largest_file = 4U << 20U;

/// Splits a file's text into sections and entries, knowing neither kinds nor keys. `#` begins a
/// comment at the start of a line or after white space, outside of quotes. A UTF-8 mark at the
/// beginning and CR LF are tolerated; zero bytes, other control characters, what is not UTF-8 and
/// over-long lines are errors. Goes on after an error.
[[nodiscard]] Document read_document(const std::string& file, std::string_view text,
                                     Errors& errors);

}  // namespace sluice::config
