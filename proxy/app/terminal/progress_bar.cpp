// SPDX-License-Identifier: Apache-2.0
#include "app/terminal/progress_bar.hpp"

#include "app/terminal/text_table.hpp"

#include <algorithm>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sluice::app {
namespace {

constexpr std::size_t k_bar = 30;
constexpr const char* k_erase_line = "\r\033[K";

}  // namespace

std::string progress_line(double done, const std::string& text, std::size_t width) {
  const double part = std::clamp(done, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(part * k_bar);
  std::string percent = fixed(part * 100, 0);
  percent.insert(0, 3 - std::min<std::size_t>(percent.size(), 3), ' ');
  std::string line = '[' + std::string(full, '#') + std::string(k_bar - full, '.') + "] " +
                     percent + " %  " + text;
  if (line.size() > width) line.resize(width);
  return line;
}

TerminalSize terminal_size(int fd) noexcept {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return {size.ws_col, size.ws_row == 0 ? std::size_t{24} : size.ws_row};
}

ProgressBar::ProgressBar(bool wanted) : m_on(wanted && ::isatty(STDERR_FILENO) != 0) {}

void ProgressBar::show(double done, const std::string& text) {
  if (!m_on) return;
  const std::string line = progress_line(done, text, terminal_size(STDERR_FILENO).columns - 1);
  std::fprintf(stderr, "%s%s", k_erase_line, line.c_str());
  std::fflush(stderr);
  m_shown = true;
}

void ProgressBar::clear() {
  if (!m_shown) return;
  std::fputs(k_erase_line, stderr);
  std::fflush(stderr);
  m_shown = false;
}

}  // namespace sluice::app
