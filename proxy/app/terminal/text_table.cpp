// SPDX-License-Identifier: Apache-2.0
#include "app/terminal/text_table.hpp"

#include <algorithm>
#include <cstdio>

namespace sluice::app {
namespace {

bool is_number(const std::string& text) {
  return text.empty() || text == "-" || (text.front() >= '0' && text.front() <= '9');
}

}  // namespace

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::size_t> widths;
  std::vector<bool> numbers;
  for (std::size_t r = 0; r < m_rows.size(); ++r) {
    for (std::size_t c = 0; c < m_rows[r].size(); ++c) {
      if (c == widths.size()) {
        widths.push_back(0);
        numbers.push_back(c > 0);
      }
      widths[c] = std::max(widths[c], m_rows[r][c].size());
      if (r > 0 && !is_number(m_rows[r][c])) numbers[c] = false;
    }
  }
  std::string out;
  for (const auto& row : m_rows) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string pad(widths[c] - row[c].size(), ' ');
      if (c > 0) line += "  ";
      line += numbers[c] ? pad + row[c] : row[c] + pad;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string fixed(double number, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

}  // namespace sluice::app
