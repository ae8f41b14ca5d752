// SPDX-License-Identifier: Apache-2.0
#include "config/replace_file.hpp"

#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace sluice::config {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::size_t files(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(ReplaceFile, KeepsWhatWasThereAndItsMode) {
  const sluice::test::ScratchDirectory scratch;
  const std::string path = scratch.write("a.ini", "one");
  fs::permissions(path, fs::perms(0640));
  EXPECT_EQ(replace_file(path, "two"), path + ".bak");
  EXPECT_EQ(replace_file(path, "three"), path + ".bak.2");
  EXPECT_EQ(contents(path), "three");
  EXPECT_EQ(contents(path + ".bak"), "one");
  EXPECT_EQ(contents(path + ".bak.2"), "two");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
  EXPECT_EQ(files(scratch.path()), 3U);  // nothing left over
}

TEST(ReplaceFile, MakesANewFile) {
  const sluice::test::ScratchDirectory scratch;
  EXPECT_EQ(replace_file(scratch / "new.ini", "text"), "");
  EXPECT_EQ(contents(scratch / "new.ini"), "text");
  EXPECT_EQ(files(scratch.path()), 1U);
}

TEST(ReplaceFile, WritesThroughALink) {
  const sluice::test::ScratchDirectory scratch;
  const std::string path = scratch.write("real.ini", "one");
  fs::create_symlink(path, scratch / "link.ini");
  replace_file(scratch / "link.ini", "two");
  EXPECT_TRUE(fs::is_symlink(scratch / "link.ini"));
  EXPECT_EQ(contents(path), "two");
}

TEST(ReplaceFile, ThrowsWhereItCannotAndChangesNothing) {
  const sluice::test::ScratchDirectory scratch;
  EXPECT_THROW(replace_file(scratch / "nosuch" / "a.ini", "x"), std::system_error);
  EXPECT_EQ(files(scratch.path()), 0U);
}

}  // namespace
}  // namespace sluice::config
