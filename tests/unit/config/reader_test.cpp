// SPDX-License-Identifier: Apache-2.0
#include "config/reader.hpp"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

using namespace std::string_literals;

// "kind name: key=text@line ..." of each section.
std::string read(const std::string& text) {
  Errors errors;
  const Document document = read_document("f.ini", text, errors);
  std::string out;
  for (const RawSection& section : document.sections) {
    out += section.kind + (section.name.empty() ? "" : " " + section.name) + ":";
    for (const RawEntry& entry : section.entries) {
      out += " " + entry.key + "=" + entry.text + "@" + std::to_string(entry.place.line);
    }
    out += "\n";
  }
  for (const Error& error : errors) out += error.to_string() + "\n";
  return out;
}

TEST(Reader, SectionsKeysAndLines) {
  EXPECT_EQ(read("a = 1\n\n[route market]\n  b=2  \n[ log ]\nc = x = y\n"),
            ": a=1@1\nroute market: b=2@4\nlog: c=x = y@6\n");
}

TEST(Reader, CommentsBeginAtTheStartOrAfterWhiteSpace) {
  EXPECT_EQ(read("# all\n  # too\na = b#c # d\ne = \"f # g\"\t# h\n[route x] # y\n"),
            ": a=b#c@3 e=\"f # g\"@4\nroute x:\n");
  EXPECT_EQ(read("a = #\n"), ": a=@1\n");
  EXPECT_EQ(read(R"(a = "\" # b" # c)"), ": a=\"\\\" # b\"@1\n");
}

TEST(Reader, MarkAndCarriageReturnsAreTolerated) {
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "a = 1\r\nb = 2\r\n"),
            ": a=1@1 b=2@2\n");
  EXPECT_EQ(read("a = 1"), ": a=1@1\n");
  EXPECT_EQ(read(""), ":\n");
}

TEST(Reader, RefusesBytesThatCannotBeMeant) {
  EXPECT_EQ(read("a = \0\n"s), ":\nf.ini:1: a zero byte; write \\x00 in quotes\n");
  EXPECT_EQ(read("\na = \x1b\n"),
            ":\nf.ini:2: a control character in column 5; write \\xHH in quotes\n");
  EXPECT_EQ(read("a = \xff\n"), ":\nf.ini:1: column 5 is not UTF-8; write such bytes as \\xHH\n");
  EXPECT_EQ(read("a = gr\xc3\xbcn\n"), ": a=gr\xc3\xbcn@1\n");
}

TEST(Reader, RefusesWhatIsTooLong) {
  EXPECT_EQ(read("a = " + std::string(k_longest_line, 'x') + "\nb = 1\n"),
            ": b=1@2\nf.ini:1: the line is longer than 64 KiB\n");
  EXPECT_EQ(read(std::string(k_largest_file + 1, '\n')), ":\nf.ini: larger than 4 MiB\n");
}

TEST(Reader, SaysWhatALineIsNot) {
  EXPECT_EQ(read("; old\n"), ":\nf.ini:1: comments begin with #, not with ;\n");
  EXPECT_EQ(read("hello\n"), ":\nf.ini:1: 'hello' is neither [kind name] nor key = value\n");
  EXPECT_EQ(read("= 1\n"), ":\nf.ini:1: a key is missing before the =\n");
  EXPECT_EQ(read("a = \"b\n"), ":\nf.ini:1: the quote is not closed\n");
  EXPECT_EQ(read("[route\na = 1\n"), ":\n?: a=1@2\nf.ini:1: '[route': a section's ] is missing\n");
  EXPECT_EQ(read("[]\n"), ":\n?:\nf.ini:1: an empty section; write [kind name]\n");
}

TEST(Reader, GivesUpAfterManyErrors) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "x\n";
  Errors errors;
  static_cast<void>(read_document("f", text, errors));
  EXPECT_EQ(errors.size(), 50U);
}

}  // namespace
}  // namespace sluice::config
