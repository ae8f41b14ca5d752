// SPDX-License-Identifier: Apache-2.0
#include "config/text.hpp"
#include "config/value.hpp"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

using namespace std::string_literals;

std::string failure(std::string_view text, bool bare_escapes = false) {
  try {
    static_cast<void>(unquote(text, bare_escapes));
  } catch (const BadValue& bad) {
    return bad.what();
  }
  return {};
}

TEST(Quote, UnquotesEscapes) {
  EXPECT_EQ(unquote(R"("\x00\x01\xfF")"), "\x00\x01\xff"s);
  EXPECT_EQ(unquote(R"("a\\b\"c\n\r\t\0")"), "a\\b\"c\n\r\t\0"s);
  EXPECT_EQ(unquote(R"("")"), "");
}

TEST(Quote, BareTextIsTakenAsItIs) {
  EXPECT_EQ(unquote(R"(a\x00)"), R"(a\x00)");
  EXPECT_EQ(unquote(R"(a\x00)", true), "a\0"s);
}

TEST(Quote, SaysWhatIsWrong) {
  EXPECT_EQ(failure(R"("abc)"), "the quote is not closed");
  EXPECT_EQ(failure(R"("abc" d)"), "quotes go around the whole value");
  EXPECT_EQ(failure(R"(ab"c")"), "quotes go around the whole value");
  EXPECT_EQ(failure(R"("\q")"), R"(unknown escape \q; there are \\ \" \n \r \t \0 and \xHH)");
  EXPECT_EQ(failure(R"("\x0")"), R"(\x needs two hexadecimal digits, as in \x00)");
  EXPECT_EQ(failure(R"(a\)", true), R"(ends with a lone \; write \\ for one)");
}

TEST(Quote, EveryByteComesBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  for (const std::string& text : {all, ""s, " a"s, "a#b"s, "a\\"s, "grün"s, "a,b"s, "\"\""s}) {
    EXPECT_EQ(unquote(quote(text)), text);
    EXPECT_EQ(unquote(quote(text, ","), true), text);
  }
  EXPECT_EQ(quote("plain"), "plain");
  EXPECT_EQ(quote("a,b", ","), "\"a,b\"");
  EXPECT_EQ(quote("\x00\xff"s), R"("\x00\xff")");
}

TEST(Quote, PrintableIsShortAndClean) {
  EXPECT_EQ(printable("a\n\x1b"), R"(a\x0a\x1b)");
  EXPECT_EQ(printable(std::string(301, 'a')), std::string(80, 'a') + "... (301 bytes)");
}

TEST(Quote, Utf8) {
  EXPECT_EQ(utf8_length("a"), 1U);
  EXPECT_EQ(utf8_length("\xc3\xbc"), 2U);
  EXPECT_EQ(utf8_length("\xf0\x9f\x8e\x89"), 4U);
  EXPECT_EQ(utf8_length("\xc3"), 0U);
  EXPECT_EQ(utf8_length("\xc0\x80"), 0U);      // overlong
  EXPECT_EQ(utf8_length("\xed\xa0\x80"), 0U);  // surrogate
  EXPECT_EQ(utf8_length("\xf4\x90\x80\x80"), 0U);
}

}  // namespace
}  // namespace sluice::config
