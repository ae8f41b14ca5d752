// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <termios.h>

namespace sluice::app::top {

/// The terminal's other screen while it lives, without cursor and line editing. Used by one thread.
class ScreenMode {
 public:
  ScreenMode();
  ~ScreenMode();
  ScreenMode(const ScreenMode&) = delete;
  ScreenMode& operator=(const ScreenMode&) = delete;

  /// In place of what was there.
  void draw(const std::string& text);

 private:
  bool m_keys = false;  // stdin is a terminal too
  termios m_before{};
};

}  // namespace sluice::app::top
