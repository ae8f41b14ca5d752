// SPDX-License-Identifier: Apache-2.0
#include "app/top/screen_mode.hpp"

#include <cstdio>
#include <unistd.h>

namespace sluice::app::top {
namespace {

constexpr const char* k_begin = "\033[?1049h\033[?25l";
constexpr const char* k_end = "\033[?25h\033[?1049l";

void put(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

ScreenMode::ScreenMode() {
  if (::isatty(STDIN_FILENO) != 0 && ::tcgetattr(STDIN_FILENO, &m_before) == 0) {
    termios raw = m_before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    m_keys = ::tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
  }
  put(k_begin);
}

ScreenMode::~ScreenMode() {
  put(k_end);
  if (m_keys) ::tcsetattr(STDIN_FILENO, TCSANOW, &m_before);
}

void ScreenMode::draw(const std::string& text) {
  std::string out = "\033[H";
  for (const char c : text) {
    if (c == '\n') out += "\033[K";
    out += c;
  }
  put(out + "\033[K\033[J");
}

}  // namespace sluice::app::top
