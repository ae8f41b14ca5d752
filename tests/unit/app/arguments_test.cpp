// SPDX-License-Identifier: Apache-2.0
#include "app/command/arguments.hpp"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

using Words = std::vector<std::string>;

const std::vector<OptionSpec> k_options{{"config", 'c', "FILE", "the file"},
                                        {"set", '\0', "KEY=VALUE", "a setting", true},
                                        {"verbose", 'v', {}, "more"}};
const CommandSpec k_plain{"run", "runs", "-c FILE", k_options, "example:\n  x\n", false};
const CommandSpec k_words{"ctl", "steers", "WORD", k_options, {}, true};

std::string complaint(const CommandSpec& spec, const Words& words) {
  try {
    static_cast<void>(parse_arguments(spec, words));
  } catch (const UsageError& e) {
    return e.what();
  }
  return {};
}

TEST(Arguments, TakesLongAndShortForms) {
  for (const Words& words :
       {Words{"-c", "f"}, Words{"-cf"}, Words{"--config", "f"}, Words{"--config=f"}}) {
    EXPECT_EQ(parse_arguments(k_plain, words).value("config"), "f");
  }
}

TEST(Arguments, CollectsRepeated) {
  const Arguments parsed = parse_arguments(k_plain, {"--set", "a=1", "--set", "b=2", "-v"});
  EXPECT_EQ(parsed.values("set"), (Words{"a=1", "b=2"}));
  EXPECT_TRUE(parsed.has("verbose"));
  EXPECT_FALSE(parsed.has("config"));
  EXPECT_FALSE(parsed.value("config"));
}

TEST(Arguments, KeepsWordsInOrderAndStopsAtTwoDashes) {
  EXPECT_EQ(parse_arguments(k_words, {"set", "-v", "k", "v"}).words(), (Words{"set", "k", "v"}));
  EXPECT_EQ(parse_arguments(k_words, {"-v", "--", "ls", "-l"}).words(), (Words{"ls", "-l"}));
}

TEST(Arguments, NegativeNumbersAreWords) {
  EXPECT_EQ(parse_arguments(k_words, {"set", "k", "-1ms", "-v"}).words(),
            (Words{"set", "k", "-1ms"}));
  EXPECT_NE(complaint(k_plain, {"-1"}), "");
}

TEST(Arguments, ComplainsWithTheNearestOption) {
  EXPECT_NE(complaint(k_plain, {"--confg", "f"}).find("did you mean --config"), std::string::npos);
  EXPECT_NE(complaint(k_plain, {"--conf", "f"}), "") << "no abbreviations";
  EXPECT_NE(complaint(k_plain, {"-c"}), "");
  EXPECT_NE(complaint(k_plain, {"word"}), "");
  EXPECT_NE(complaint(k_plain, {"-c", "a", "-c", "b"}), "");
  EXPECT_NE(complaint(k_plain, {"-v=1"}), "");
}

TEST(Arguments, HelpNamesEverything) {
  const std::string text = help_text(k_plain);
  for (const char* part : {"sluice run", "-c, --config FILE", "--set KEY=VALUE", "-v, --verbose",
                           "-h, --help", "example:"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(Arguments, ParsesDurations) {
  EXPECT_EQ(parse_duration_ms("--for", "2s"), 2000);
  EXPECT_EQ(parse_duration_ms("--for", "50ms"), 50);
  EXPECT_THROW(static_cast<void>(parse_duration_ms("--for", "soon")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_duration_ms("--for", "-1s")), UsageError);
}

}  // namespace
}  // namespace sluice::app
