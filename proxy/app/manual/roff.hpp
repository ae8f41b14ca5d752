// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sluice::app::manual {

/// A page in man(7) macros, appended to from top to bottom. A value.
class Page {
 public:
  /// `section` is "1" or "5"; `summary` one line.
  Page(std::string_view name, std::string_view section, std::string_view summary);

  void heading(std::string_view text);
  void subheading(std::string_view text);
  /// Filled text; a line break in it is a space.
  void paragraph(std::string_view text);
  /// As it stands, line for line.
  void verbatim(std::string_view text);
  /// A term in bold, what its value is called in italics, and the text under it.
  void item(std::string_view term, std::string_view value, std::string_view text);
  void more(std::string_view text);  ///< one more paragraph under the last item

  [[nodiscard]] const std::string& text() const noexcept { return m_text; }

 private:
  void line(std::string_view text);
  void new_paragraph();
  std::string m_text;
  bool m_after_heading = false;  ///< which begins a paragraph by itself
};

/// What roff would take for its own, escaped: backslashes, and dots and quotes that begin a line.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace sluice::app::manual
