// SPDX-License-Identifier: Apache-2.0
#include "config/refused.hpp"

#include "loading.hpp"

#include <algorithm>
#include <sstream>

namespace sluice::config {
namespace {

TEST(Refused, EveryWordIsRefusedByNameAndIsNoKey) {
  for (const Refused& entry : refused()) {
    std::istringstream words{std::string(entry.words)};
    for (std::string word; words >> word;) {
      EXPECT_TRUE(refused_text(word).starts_with(word + ": Sluice does not do "));
      EXPECT_TRUE(std::none_of(settings().begin(), settings().end(),
                               [&](const Setting& s) { return s.key == word; }));
    }
  }
  EXPECT_EQ(refused_text("bind"), "");
}

TEST(Refused, F_11_Conflate) {
  EXPECT_EQ(test::errors_of(test::k_small + "conflate = 1\n"),
            "t.ini:6: conflate: Sluice does not do conflate: it breaks messages of several frames "
            "and loses subscribers\n");
}

TEST(Refused, S_06_S_11_S_17_ManualExactAndCaches) {
  for (const char* key : {"manual", "exact", "welcome", "verbose", "persistence", "hooks"}) {
    const std::string text = test::errors_of(test::k_small + key + " = yes\n");
    EXPECT_TRUE(text.starts_with(std::string("t.ini:6: ") + key + ": Sluice does not do ")) << text;
  }
}

}  // namespace
}  // namespace sluice::config
