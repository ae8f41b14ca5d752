// SPDX-License-Identifier: Apache-2.0
#include "config/text.hpp"

#include <algorithm>
#include <array>

namespace sluice::config {
namespace {

constexpr std::string_view k_blank = " \t";
constexpr std::size_t k_longest_word = 64;  // longer words are no misspelt keys

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

}  // namespace

std::string_view trim(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(k_blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(k_blank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0;;) {
    const std::size_t end = text.find(separator, start);
    parts.push_back(text.substr(start, end == std::string_view::npos ? end : end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

std::string join_or(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > k_longest_word) return {};
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-') c = '_';
  }
  std::string_view best;
  std::size_t best_distance =
      std::max<std::size_t>(1, std::min<std::size_t>(4, word.size() / 3)) + 1;
  for (const std::string_view candidate : candidates) {
    std::string spelt(candidate);
    std::replace(spelt.begin(), spelt.end(), '-', '_');
    const std::size_t d = distance(lower, spelt);
    if (d < best_distance) {
      best_distance = d;
      best = candidate;
    }
  }
  if (best.empty() && word.size() >= 4) {
    // The beginning or the end of one word only, as "hwm" habits: "poll_rate".
    for (const std::string_view candidate : candidates) {
      if (candidate.starts_with(lower) || candidate.ends_with(lower)) return std::string(candidate);
    }
  }
  return std::string(best);
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string best = nearest(word, candidates);
  return best.empty() ? std::string{} : "; did you mean " + best + "?";
}

std::vector<std::string_view> split_quoted(std::string_view text, char separator) {
  const bool blank = separator == ' ';
  std::vector<std::string_view> parts;
  bool quoted = false;
  std::size_t start = 0;
  const auto add = [&](std::size_t end) {
    const std::string_view part = trim(text.substr(start, end - start));
    if (!blank || !part.empty()) parts.push_back(part);
    start = end + 1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == separator || (blank && c == '\t'))) {
      add(i);
    }
  }
  add(text.size());
  return parts;
}

bool is_name(std::string_view text) noexcept {
  return !text.empty() && text.size() <= 32 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

}  // namespace sluice::config
