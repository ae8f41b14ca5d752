// SPDX-License-Identifier: Apache-2.0
#include "app/manual/roff.hpp"

#include <sluice/version.hpp>

#include <cctype>

namespace sluice::app::manual {
namespace {

/// Of the pages' wording; fixed, so that the same tree makes the same bytes.
constexpr const char* k_date = "2026-12-01";

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

/// In the argument of a macro a quote has to be a string of its own.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : escaped(text)) out += c == '"' ? std::string("\\(dq") : std::string(1, c);
  return out + '"';
}

std::string joined_lines(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c == '\n') c = ' ';
  }
  return out;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  bool begin = true;
  for (const char c : text) {
    if (begin && (c == '.' || c == '\'')) out += "\\&";
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      default:
        out += c;
    }
    begin = c == '\n';
  }
  return out;
}

Page::Page(std::string_view name, std::string_view section, std::string_view summary) {
  m_text = ".\\\" Generated from the program's own tables.\n";
  m_text += ".TH " + upper(name) + ' ' + std::string(section) + " " + k_date + " \"sluice " +
            std::string(version()) + "\" Sluice\n";
  heading("NAME");
  m_text += escaped(name) + " \\- " + escaped(summary) + '\n';
}

void Page::new_paragraph() {
  if (!m_after_heading) m_text += ".PP\n";
  m_after_heading = false;
}

void Page::line(std::string_view text) {
  m_text += escaped(text);
  m_text += '\n';
}

void Page::heading(std::string_view text) {
  m_text += ".SH " + quoted(text) + '\n';
  m_after_heading = true;
}

void Page::subheading(std::string_view text) {
  m_text += ".SS " + quoted(text) + '\n';
  m_after_heading = true;
}

void Page::paragraph(std::string_view text) {
  new_paragraph();
  line(joined_lines(text));
}

void Page::verbatim(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  new_paragraph();
  m_text += ".EX\n";
  line(text);
  m_text += ".EE\n";
}

void Page::item(std::string_view term, std::string_view value, std::string_view text) {
  m_after_heading = false;
  m_text += ".TP\n\\fB" + escaped(term) + "\\fR";
  if (!value.empty()) m_text += " \\fI" + escaped(value) + "\\fR";
  m_text += '\n';
  line(joined_lines(text));
}

void Page::more(std::string_view text) {
  m_text += ".IP\n";
  line(joined_lines(text));
}

}  // namespace sluice::app::manual
