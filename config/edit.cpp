// SPDX-License-Identifier: Apache-2.0
#include "config/edit.hpp"

#include "config/keys.hpp"
#include "config/text.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

namespace sluice::config {
namespace {

/// A line without its end, and the end.
struct Line {
  std::string text;
  std::string end;  ///< "\n", "\r\n" or nothing
};

std::vector<Line> split_lines(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t size = end == std::string_view::npos ? text.size() : end;
    Line line{std::string(text.substr(0, size)), end == std::string_view::npos ? "" : "\n"};
    if (line.text.ends_with('\r')) {
      line.text.pop_back();
      line.end.insert(0, "\r");
    }
    lines.push_back(std::move(line));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}

// As the reader has it: where white space before a comment begins, or the end.
std::size_t end_of_value(std::string_view line) {
  bool quoted = false;
  std::size_t end = 0;  // behind the last character of the value
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && line[i] == '#' && (i == 0 || is_blank(line[i - 1]))) {
      return end;
    }
    if (i < line.size() && !is_blank(line[i])) end = i + 1;
  }
  return end;
}

// Keeps a comment where it was, as far as the new value leaves room.
void replace_value(std::string& line, const std::string& value) {
  std::size_t begin = line.find('=') + 1;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  const std::size_t end = std::max(begin, end_of_value(line));
  std::string rest = line.substr(end);
  const std::size_t gap = rest.find_first_not_of(" \t");
  if (gap == std::string::npos) {
    rest.clear();
  } else if (rest.find('\t') == std::string::npos) {
    const std::size_t column = end + gap;
    const std::size_t reached = begin + value.size();
    rest = std::string(column > reached + 1 ? column - reached : 1, ' ') + rest.substr(gap);
  }
  line = line.substr(0, begin) + value + rest;
}

// Before everything else, but behind a file's opening remark.
std::size_t first_place(const std::vector<Line>& lines) {
  std::size_t content = 0;
  const auto trimmed = [&lines](std::size_t i) { return trim(lines[i].text); };
  while (content < lines.size() && (trimmed(content).empty() || trimmed(content)[0] == '#')) {
    ++content;
  }
  while (content > 0 && !trimmed(content - 1).empty()) --content;
  return content;
}

std::string changed(const std::string& text, const LoadedConfig& config,
                    const std::vector<std::pair<KeyRef, std::string>>& values) {
  std::vector<Line> lines = split_lines(text);
  const std::string end = !lines.empty() && !lines.front().end.empty() ? lines.front().end : "\n";
  std::map<std::size_t, std::vector<std::string>> inserted;  // before that line, from 0
  for (const auto& [key, value] : values) {
    const Section& section = config.sections[key.section];
    const Place place = section.value(key.setting->key).place();
    if (place.origin == Origin::file && place.line > 0) {
      replace_value(lines[place.line - 1].text, value);
    } else {
      const bool has_header = section.place.origin == Origin::file && section.place.line > 0 &&
                              trim(lines[section.place.line - 1].text).starts_with('[');
      const std::size_t at = has_header ? section.place.line : first_place(lines);
      inserted[at].push_back(std::string(key.setting->key) + " = " + value);
    }
  }
  std::string out;
  for (std::size_t i = 0; i <= lines.size(); ++i) {
    if (const auto found = inserted.find(i); found != inserted.end()) {
      if (!out.empty() && !out.ends_with('\n')) out += end;
      for (const std::string& line : found->second) out += line + end;
    }
    if (i < lines.size()) out += lines[i].text + lines[i].end;
  }
  return out;
}

LoadResult load_text(const std::string& file, const std::string& text) {
  Sources sources;
  sources.path = file;
  sources.text = text;
  sources.use_text = true;
  return load(sources);
}

}  // namespace

EditResult with_lines(const std::string& file, const std::string& text,
                      const std::vector<NewValue>& values) {
  LoadResult before = load_text(file, text);
  if (const auto* errors = std::get_if<Errors>(&before)) return *errors;
  const auto& config = std::get<LoadedConfig>(before);
  std::vector<std::pair<KeyRef, std::string>> wanted;
  for (const NewValue& value : values) {
    const KeyResult found = find_key(config, value.path);
    if (const auto* why = std::get_if<std::string>(&found)) {
      return Errors{{{Origin::file, file, 0}, *why}};
    }
    wanted.emplace_back(std::get<KeyRef>(found), value.text);
  }
  std::string out = changed(text, config, wanted);
  const LoadResult after = load_text(file, out);
  if (const auto* errors = std::get_if<Errors>(&after)) return *errors;
  return out;
}

}  // namespace sluice::config
