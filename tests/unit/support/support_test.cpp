// SPDX-License-Identifier: Apache-2.0
#include "support/deadline.hpp"
#include "support/ports.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace sluice::test {
namespace {

TEST(Scratch, IsFreshAndGoesWithItsOwner) {
  std::filesystem::path path;
  {
    const ScratchDirectory scratch;
    path = scratch.path();
    EXPECT_TRUE(std::filesystem::is_empty(path));
    std::ifstream file(scratch.write("a", "text"));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "text");
    EXPECT_EQ(scratch.ipc("s"), "ipc://" + path.string() + "/s");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Ports, AreDistinct) {
  EXPECT_NE(free_port(), free_port());
}

TEST(Eventually, StopsAtTheFirstTrueAndAtTheDeadline) {
  int asked = 0;
  EXPECT_TRUE(eventually([&] { return ++asked == 3; }));
  EXPECT_EQ(asked, 3);
  EXPECT_FALSE(eventually([] { return false; }, std::chrono::milliseconds{5}));
}

TEST(Readable, SeesABytePutIntoAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_FALSE(readable(ends[0], std::chrono::milliseconds{1}));
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  EXPECT_TRUE(readable(ends[0]));
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace sluice::test
