// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

namespace sluice::config {
namespace {

TEST(Section, PlacesHaveATextEach) {
  EXPECT_EQ((Place{}).text(), "default");
  EXPECT_EQ((Place{Origin::file, "a.ini", 3}).text(), "a.ini:3");
  EXPECT_EQ((Place{Origin::environment, "SLUICE_X", 0}).text(), "env SLUICE_X");
  EXPECT_EQ((Place{Origin::flag, "a=b", 0}).text(), "flag --set a=b");
  EXPECT_EQ((Place{Origin::command, "a", 0}).text(), "SET");
}

TEST(Section, ErrorsNameTheirPlace) {
  EXPECT_EQ((Error{{Origin::file, "a.ini", 3}, "x"}).to_string(), "a.ini:3: x");
  EXPECT_EQ((Error{{Origin::file, "a.ini", 0}, "x"}).to_string(), "a.ini: x");
  EXPECT_EQ((Error{{}, "x"}).to_string(), "x");
}

TEST(Section, PathsAndTitles) {
  const LoadedConfig config = test::loaded(test::k_small);
  EXPECT_EQ(config.sections.at(2).path(), "sink.edge");
  EXPECT_EQ(config.sections.at(2).title(), "[sink edge]");
  EXPECT_EQ(config.sections.at(3).path(), "log");
  EXPECT_EQ(config.sections.at(3).title(), "[log]");
  EXPECT_THROW(static_cast<void>(config.sections.at(3).value("nosuch")), std::logic_error);
}

}  // namespace
}  // namespace sluice::config
