// SPDX-License-Identifier: Apache-2.0
#include "config/text.hpp"
#include "config/value.hpp"

#include <algorithm>

namespace sluice::config {
namespace {

constexpr std::string_view k_hex = "0123456789abcdef";

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_control(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

void escape(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  out += "\\x";
  out += k_hex[byte >> 4U];
  out += k_hex[byte & 15U];
}

// Appends the character whose escape begins at text[at] (behind the backslash); gives what follows.
std::size_t unescape(std::string_view text, std::size_t at, std::string& out) {
  if (at >= text.size()) throw BadValue("ends with a lone \\; write \\\\ for one");
  switch (text[at]) {
    case '\\':
      out += '\\';
      return at + 1;
    case '"':
      out += '"';
      return at + 1;
    case 'n':
      out += '\n';
      return at + 1;
    case 'r':
      out += '\r';
      return at + 1;
    case 't':
      out += '\t';
      return at + 1;
    case '0':
      out += '\0';
      return at + 1;
    case 'x':
      break;
    default:
      throw BadValue("unknown escape \\" + printable(text.substr(at, 1)) +
                     "; there are \\\\ \\\" \\n \\r \\t \\0 and \\xHH");
  }
  const int high = at + 1 < text.size() ? hex_digit(text[at + 1]) : -1;
  const int low = at + 2 < text.size() ? hex_digit(text[at + 2]) : -1;
  if (high < 0 || low < 0) throw BadValue("\\x needs two hexadecimal digits, as in \\x00");
  out += static_cast<char>(high * 16 + low);
  return at + 3;
}

std::string escaped(std::string_view text, bool quotes) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0 || is_control(text[i])) {
      escape(out, text[i++]);
      continue;
    }
    if (quotes && (text[i] == '"' || text[i] == '\\')) out += '\\';
    out += text.substr(i, length);
    i += length;
  }
  return out;
}

}  // namespace

std::size_t utf8_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const auto at = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = at(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xc0U) != 0x80) return 0;
  }
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  const unsigned second = at(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) {
    return 0;
  }
  return length;
}

std::string unquote(std::string_view text, bool bare_escapes) {
  std::string out;
  std::size_t i = 0;
  if (!text.starts_with('"')) {
    if (!bare_escapes || text.find('\\') == std::string_view::npos) {
      if (text.find('"') != std::string_view::npos) {
        throw BadValue("quotes go around the whole value");
      }
      return std::string(text);
    }
    while (i < text.size()) {
      if (text[i] == '\\') {
        i = unescape(text, i + 1, out);
      } else {
        out += text[i++];
      }
    }
    return out;
  }
  i = 1;
  while (i < text.size() && text[i] != '"') {
    if (text[i] == '\\') {
      i = unescape(text, i + 1, out);
    } else {
      out += text[i++];
    }
  }
  if (i >= text.size()) throw BadValue("the quote is not closed");
  if (i + 1 != text.size()) throw BadValue("quotes go around the whole value");
  return out;
}

std::string quote(std::string_view text, std::string_view separators) {
  const bool bare = !text.empty() && text.front() != ' ' && text.back() != ' ' &&
                    text.find_first_of("\"\\#") == std::string_view::npos &&
                    text.find_first_of(separators) == std::string_view::npos &&
                    std::none_of(text.begin(), text.end(), is_control);
  std::string out = escaped(text, true);
  if (bare && out == text) return out;
  return '"' + out + '"';
}

std::string printable(std::string_view text) {
  constexpr std::size_t k_shown = 80;
  // A path is never shortened below what a sun_path may hold, so that it can be recognised.
  constexpr std::size_t k_limit = 300;
  if (text.size() <= k_limit) return escaped(text, false);
  return escaped(text.substr(0, k_shown), false) + "... (" + std::to_string(text.size()) +
         " bytes)";
}

}  // namespace sluice::config
