// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace sluice::app {

/// One line on stderr that is written over and over; nothing at all where stderr is no terminal.
/// Used by one thread.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `done` from 0 to 1.
  void show(double done, const std::string& text);
  /// Takes the line away.
  void clear();

 private:
  bool m_on;
  bool m_shown = false;
};

/// "[#####.....]  50 %  text", at most `width` characters.
[[nodiscard]] std::string progress_line(double done, const std::string& text, std::size_t width);
/// Columns and rows of the terminal behind `fd`; 80 and 24 where it does not say.
struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};
[[nodiscard]] TerminalSize terminal_size(int fd) noexcept;

}  // namespace sluice::app
