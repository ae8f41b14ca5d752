// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/terminal/progress_bar.hpp"
#include "app/top/history.hpp"

#include <string>

namespace sluice::app::top {

// What `ctl top` shows of a history; pure. `route`: only that one; empty = all.

/// A whole screen, lines of at most `size.columns`, at most `size.rows` of them.
[[nodiscard]] std::string screen(const History& history, const std::string& route,
                                 const TerminalSize& size);
/// A line for each route, and one for each change: at once, and with before and after once that is
/// known (or when `last` says that nothing more will come).
[[nodiscard]] std::string plain_lines(History& history, const std::string& route, std::time_t time,
                                      bool last);
/// The same as one line of JSON.
[[nodiscard]] std::string json_line(const History& history, const std::string& route,
                                    std::time_t time);
/// "CPU 12,100 -> 1,700 ns/msg (0.14), ..."
[[nodiscard]] std::string before_and_after(const Change& change);

}  // namespace sluice::app::top
