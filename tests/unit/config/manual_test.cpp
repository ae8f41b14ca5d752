// SPDX-License-Identifier: Apache-2.0
#include "config/manual.hpp"

#include "config/table.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace sluice::config {
namespace {

std::string readme() {
  std::ifstream file(SLUICE_CONFIG_FOLDER "/README.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Manual, TheReadmeAgreesWithTheTable) {
  const std::string text = readme();
  EXPECT_NE(text.find(k_manual_begin), std::string::npos);
  EXPECT_EQ(text, with_manual(text)) << "make it anew: sluice-manual config/README.md";
}

TEST(Manual, EveryKeyIsThere) {
  const std::string text = manual();
  for (const Setting& setting : settings()) {
    EXPECT_NE(text.find("| `" + std::string(setting.key) + "` |"), std::string::npos);
  }
}

TEST(Manual, ATextWithoutMarksStays) {
  EXPECT_EQ(with_manual("abc"), "abc");
}

}  // namespace
}  // namespace sluice::config
