// SPDX-License-Identifier: Apache-2.0
#include "app/log/log_line.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sluice::app {
namespace {

LogRecord record(std::string_view text, std::string_view route = {}) {
  return {std::chrono::system_clock::time_point(std::chrono::milliseconds(1'000'000'000'123)),
          Severity::warning, route, text};
}

TEST(LogLine, Text) {
  EXPECT_EQ(text_line(record("hello", "market")),
            "2001-09-09T01:46:40.123Z warning [market] hello\n");
  EXPECT_EQ(text_line(record("hello")), "2001-09-09T01:46:40.123Z warning hello\n");
}

TEST(LogLine, TextStaysOneLine) {
  EXPECT_EQ(text_line(record("a\nb\x1b[31m")),
            "2001-09-09T01:46:40.123Z warning a\\x0ab\\x1b[31m\n");
}

TEST(LogLine, TextIsValidForAnyBytes) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const std::string line = text_line(record(all));
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  for (const char c : line) EXPECT_LT(static_cast<unsigned char>(c), 0x80U) << "no UTF-8 in there";
  EXPECT_EQ(text_line(record("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x99\x82 \xc2\x9b "
                             "\xed\xa0\x80 \xc0\x80 \xe2\x82")),
            "2001-09-09T01:46:40.123Z warning gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x99\x82 "
            "\\xc2\\x9b "
            "\\xed\\xa0\\x80 \\xc0\\x80 \\xe2\\x82\n");
}

TEST(LogLine, JsonIsValidForAnyBytes) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const std::string line = json_line(record(all, all));
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto parsed = nlohmann::json::parse(line);
  EXPECT_EQ(parsed["level"], "warning");
  const auto plain = nlohmann::json::parse(json_line(record("say \"hi\"\\", "r")));
  EXPECT_EQ(plain["message"], "say \"hi\"\\");
  EXPECT_EQ(plain["route"], "r");
  EXPECT_EQ(plain["time"], "2001-09-09T01:46:40.123Z");
}

}  // namespace
}  // namespace sluice::app
