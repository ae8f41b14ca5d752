// SPDX-License-Identifier: Apache-2.0
#include "app/log/log_line.hpp"

#include "config/text.hpp"

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

unsigned byte_of(char c) noexcept {
  return static_cast<unsigned char>(c);
}

// The length of the printable character at the front, UTF-8; 0 where there is none.
std::size_t printable_length(std::string_view text) noexcept {
  const unsigned first = byte_of(text.front());
  if (first < 0x20 || first == 0x7f) return 0;
  const std::size_t length = config::utf8_length(text);
  const bool control = length == 2 && first == 0xc2 && byte_of(text[1]) < 0xa0;
  return control ? 0 : length;
}

void append_escaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = printable_length(text);
    if (length != 0) {
      out += text.substr(0, length);
      text.remove_prefix(length);
      continue;
    }
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\x%02x", byte_of(text.front()));
    out += escape;
    text.remove_prefix(1);
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
