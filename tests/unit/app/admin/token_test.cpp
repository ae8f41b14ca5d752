// SPDX-License-Identifier: Apache-2.0
#include "app/admin/token.hpp"

#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <sys/stat.h>

namespace sluice::app {
namespace {

TEST(Token, TheFirstLineOfAFile) {
  test::ScratchDirectory scratch;
  EXPECT_EQ(read_token(scratch.write("t", "  0123456789abcdef \r\nmore\n").string()),
            "0123456789abcdef");
  EXPECT_THROW(static_cast<void>(read_token(scratch.write("s", "short\n").string())),
               std::runtime_error);
  EXPECT_THROW(static_cast<void>(read_token(scratch.write("e", "").string())), std::runtime_error);
  try {
    static_cast<void>(read_token("/nonexistent/token"));
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "/nonexistent/token: No such file or directory");
  }
}

TEST(Token, OnlyAPlainFileIsRead) {
  test::ScratchDirectory scratch;
  const std::string pipe = (scratch.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/zero"), scratch.path().string()}) {
    EXPECT_THROW(static_cast<void>(read_token(path)), std::runtime_error) << path;
  }
  EXPECT_THROW(
      static_cast<void>(read_token(scratch.write("l", std::string(1 << 20, 'x')).string())),
      std::runtime_error);
}

TEST(Token, BearerAndNothingElse) {
  const std::string token = "0123456789abcdef";
  EXPECT_TRUE(brings_token("Bearer 0123456789abcdef", token));
  EXPECT_TRUE(brings_token("bearer   0123456789abcdef ", token));
  for (const char* text : {"", "Bearer", "Bearer ", "Basic 0123456789abcdef", "0123456789abcdef",
                           "Bearer 0123456789abcde", "Bearer 0123456789abcdef0",
                           "Bearer 0123456789abcdeF", "Bearer 0123456789abcdef0123456789abcdef"}) {
    EXPECT_FALSE(brings_token(text, token)) << text;
  }
  EXPECT_FALSE(brings_token("Bearer ", ""));
}

}  // namespace
}  // namespace sluice::app
