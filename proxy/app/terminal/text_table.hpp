// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::app {

/// Columns of text, padded; a plain value. The first column is left-aligned, and so is every
/// column whose cells are not numbers.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) { add(std::move(header)); }
  void add(std::vector<std::string> row) { m_rows.push_back(std::move(row)); }
  [[nodiscard]] bool empty() const noexcept { return m_rows.size() < 2; }
  /// Each line begins with `indent` blanks and ends with a line end.
  [[nodiscard]] std::string text(std::size_t indent = 0) const;

 private:
  std::vector<std::vector<std::string>> m_rows;
};

/// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);
/// With so many digits after the point.
[[nodiscard]] std::string fixed(double number, int digits);

}  // namespace sluice::app
