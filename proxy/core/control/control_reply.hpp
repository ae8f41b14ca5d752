// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/control/steerable.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

/// The frames of one reply; at least one.
using Reply = std::vector<std::string>;

/// What PAUSE, RESUME and TERMINATE are answered with: one empty frame.
[[nodiscard]] Reply empty_reply();
/// Eight frames of one unsigned 64-bit integer each, native byte order.
[[nodiscard]] Reply statistics_reply(const StatisticsValues& values);
/// "OK" or "OK <text>", one frame.
[[nodiscard]] Reply ok_reply(std::string_view text);
/// "ERR <word> <text>", one frame of printable ASCII; the word is the command's, or what stood in
/// its place.
[[nodiscard]] Reply error_reply(std::string_view word, std::string_view text);

}  // namespace sluice::core
