// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/options.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace sluice::app {

struct LogRecord {
  std::chrono::system_clock::time_point time;
  Severity severity = Severity::info;
  std::string_view route;  ///< may be empty
  std::string_view text;
};

[[nodiscard]] std::string_view to_string(Severity severity) noexcept;

/// "2026-01-31T12:00:00.123Z warning [market] text", one line whatever the text holds, with the
/// line's end.
[[nodiscard]] std::string text_line(const LogRecord& record);
/// {"time":...,"level":...,"route":...,"message":...}: valid JSON whatever the text holds.
[[nodiscard]] std::string json_line(const LogRecord& record);

}  // namespace sluice::app
