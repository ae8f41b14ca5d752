// SPDX-License-Identifier: Apache-2.0
#include "config/reader.hpp"

#include "config/text.hpp"

#include <optional>

namespace sluice::config {
namespace {

constexpr std::string_view k_utf8_mark = "\xef\xbb\xbf";
constexpr std::size_t k_most_errors = 50;

class Reader {
 public:
  Reader(const std::string& file, Errors& errors) : m_file(file), m_errors(errors) {
    m_document.sections.emplace_back();
    m_document.sections.back().place = {Origin::file, file, 1};
  }

  Document read(std::string_view text) {
    if (text.size() > k_largest_file) {
      m_line = 0;
      error("larger than 4 MiB");
      return std::move(m_document);
    }
    if (text.starts_with(k_utf8_mark)) text.remove_prefix(k_utf8_mark.size());
    while (!text.empty() && m_errors.size() < k_most_errors) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++m_line;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (!is_clean(line)) continue;
      const auto content = without_comment(line);
      if (content) take(trim(*content));
    }
    return std::move(m_document);
  }

 private:
  void error(std::string text) {
    m_errors.push_back({{Origin::file, m_file, m_line}, std::move(text)});
  }

  bool is_clean(std::string_view line) {
    if (line.size() > k_longest_line) {
      error("the line is longer than 64 KiB");
      return false;
    }
    for (std::size_t i = 0; i < line.size();) {
      const std::size_t length = utf8_length(line.substr(i));
      if (length == 0) {
        error("column " + std::to_string(i + 1) + " is not UTF-8; write such bytes as \\xHH");
        return false;
      }
      const auto byte = static_cast<unsigned char>(line[i]);
      if ((byte < 0x20 && byte != '\t') || byte == 0x7f) {
        error(byte == 0 ? "a zero byte; write \\x00 in quotes"
                        : "a control character in column " + std::to_string(i + 1) +
                              "; write \\xHH in quotes");
        return false;
      }
      i += length;
    }
    return true;
  }

  std::optional<std::string_view> without_comment(std::string_view line) {
    bool quoted = false;
    bool blank = true;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quoted && c == '\\') {
        ++i;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && blank && c == '#') {
        return line.substr(0, i);
      }
      blank = c == ' ' || c == '\t';
    }
    if (quoted) {
      error("the quote is not closed");
      return std::nullopt;
    }
    return line;
  }

  void take(std::string_view content) {
    if (content.empty()) return;
    if (content.front() == '[') {
      take_section(content);
      return;
    }
    if (content.front() == ';') {
      error("comments begin with #, not with ;");
      return;
    }
    const std::size_t equals = content.find('=');
    const std::string_view key = trim(content.substr(0, equals));
    if (equals == std::string_view::npos) {
      error("'" + printable(content) + "' is neither [kind name] nor key = value");
    } else if (key.empty()) {
      error("a key is missing before the =");
    } else {
      m_document.sections.back().entries.push_back({std::string(key),
                                                    std::string(trim(content.substr(equals + 1))),
                                                    {Origin::file, m_file, m_line}});
    }
  }

  void take_section(std::string_view content) {
    RawSection section;
    section.place = {Origin::file, m_file, m_line};
    if (content.back() != ']') {
      error("'" + printable(content) + "': a section's ] is missing");
    } else {
      const std::string_view inside = trim(content.substr(1, content.size() - 2));
      const std::size_t gap = inside.find_first_of(" \t");
      section.kind = inside.substr(0, gap);
      if (gap != std::string_view::npos) section.name = trim(inside.substr(gap));
      if (section.kind.empty()) error("an empty section; write [kind name]");
    }
    // Also a broken one, so that its keys are not taken for those of the section before.
    if (section.kind.empty()) section.kind = "?";
    m_document.sections.push_back(std::move(section));
  }

  const std::string& m_file;
  Errors& m_errors;
  Document m_document;
  unsigned m_line = 0;
};

}  // namespace

Document read_document(const std::string& file, std::string_view text, Errors& errors) {
  return Reader(file, errors).read(text);
}

}  // namespace sluice::config
