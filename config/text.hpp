// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

[[nodiscard]] std::string_view trim(std::string_view text) noexcept;
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// "a, b or c".
[[nodiscard]] std::string join_or(std::span<const std::string_view> words);

/// The candidate nearest to `word` by edit distance (a swap of neighbours counts one), or empty
/// where none is near enough to be what was meant.
[[nodiscard]] std::string nearest(std::string_view word,
                                  std::span<const std::string_view> candidates);
/// "; did you mean X?" or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// Undoes `quote`: a text in double quotes with \\ \" \n \r \t \0 \xHH, or a bare text, in which
/// escapes count only where `bare_escapes` says so. Throws BadValue.
[[nodiscard]] std::string unquote(std::string_view text, bool bare_escapes = false);
/// The text as it may stand in a file: bare where that reads back as the same, else quoted.
/// `separators` are further characters that need quotes.
[[nodiscard]] std::string quote(std::string_view text, std::string_view separators = {});
/// For messages: printable, control characters escaped, shortened to about 80 characters.
[[nodiscard]] std::string printable(std::string_view text);
/// Splits at `separator` outside of quotes and trims; a blank separator means any white space.
[[nodiscard]] std::vector<std::string_view> split_quoted(std::string_view text, char separator);
/// [a-z0-9-]{1,32}
[[nodiscard]] bool is_name(std::string_view text) noexcept;
/// Length of the valid UTF-8 sequence at the beginning, 0 where there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text) noexcept;

}  // namespace sluice::config
