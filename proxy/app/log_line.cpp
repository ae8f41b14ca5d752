// SPDX-License-Identifier: Apache-2.0
#include "app/log_line.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <ctime>

namespace sluice::app {
namespace {

std::string timestamp(std::chrono::system_clock::time_point time) {
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  char fraction[8];
  std::snprintf(fraction, sizeof fraction, ".%03dZ", static_cast<int>(ms % 1000));
  return std::string(text, length) + fraction;
}

bool is_control(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (!is_control(c)) {
      out += c;
      continue;
    }
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(c) & 0xffU);
    out += escape;
  }
}

}  // namespace

std::string_view to_string(Severity severity) noexcept {
  switch (severity) {
    case Severity::debug:
      return "debug";
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "?";
}

std::string text_line(const LogRecord& record) {
  std::string out = timestamp(record.time);
  out += ' ';
  out += to_string(record.severity);
  out += ' ';
  if (!record.route.empty()) {
    out += '[';
    append_escaped(out, record.route);
    out += "] ";
  }
  append_escaped(out, record.text);
  out += '\n';
  return out;
}

std::string json_line(const LogRecord& record) {
  using Json = nlohmann::ordered_json;
  Json out = {{"time", timestamp(record.time)}, {"level", to_string(record.severity)}};
  if (!record.route.empty()) out["route"] = record.route;
  out["message"] = record.text;
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace sluice::app
