// SPDX-License-Identifier: Apache-2.0
#include "core/control/control_command.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sluice::core {
namespace {

Command parsed(std::string_view text) {
  const auto result = parse_command(text);
  const auto* command = std::get_if<Command>(&result);
  EXPECT_NE(command, nullptr) << text;
  return command != nullptr ? *command : Command{Verb::ping, {}, {}};
}

/// "word: text" of a rejection.
std::string rejected(std::string_view text) {
  const auto result = parse_command(text);
  const auto* rejection = std::get_if<Rejection>(&result);
  return rejection != nullptr ? rejection->word + ": " + rejection->text : "accepted";
}

TEST(ControlCommand, KnowsEveryWord) {
  for (std::size_t i = 0; i < k_verbs; ++i) {
    const auto verb = static_cast<Verb>(i);
    std::string text(to_string(verb));
    ASSERT_NE(text, "?");
    if (verb == Verb::get) text += " k";
    if (verb == Verb::set || verb == Verb::attach || verb == Verb::detach) text += " a b";
    EXPECT_EQ(parsed(text).verb, verb) << text;
  }
}

TEST(ControlCommand, TakesAnOptionalRoute) {
  for (const std::string word : {"PAUSE", "RESUME", "TERMINATE", "DRAIN"}) {
    EXPECT_EQ(parsed(word).first, "");
    EXPECT_EQ(parsed(word + " market").first, "market");
    EXPECT_EQ(rejected(word + " "), word + ": expected: " + word + " [route]");
    EXPECT_EQ(rejected(word + " a b"), word + ": expected: " + word + " [route]");
  }
}

TEST(ControlCommand, SplitsArguments) {
  const Command set = parsed("SET log.level very verbose");
  EXPECT_EQ(set.first, "log.level");
  EXPECT_EQ(set.second, "very verbose");
  EXPECT_EQ(parsed("SET k ").second, "");
  const Command attach = parsed("ATTACH market tcp://127.0.0.1:5");
  EXPECT_EQ(attach.first, "market");
  EXPECT_EQ(attach.second, "tcp://127.0.0.1:5");
}

TEST(ControlCommand, RejectsTooFewAndTooManyArguments) {
  for (const char* text :
       {"GET", "GET ", "GET a b", "SET", "SET k", "SET  v", "ATTACH", "ATTACH r", "ATTACH r ",
        "ATTACH r a b", "DETACH r", "STATISTICS now", "STATUS ", "RELOAD x", "PING x"}) {
    EXPECT_NE(rejected(text).find(": expected: "), std::string::npos) << text;
  }
}

TEST(ControlCommand, RejectsWhatIsNoCommand) {
  EXPECT_EQ(rejected(""), "-: empty command");
  EXPECT_EQ(rejected(" "), "-: no such command");
  EXPECT_EQ(rejected("pause"), "pause: no such command");
  EXPECT_EQ(rejected("PAUSED x"), "PAUSED: no such command");
  EXPECT_EQ(rejected("PAUS"), "PAUS: no such command");
  EXPECT_EQ(rejected(std::string("PAUSE\0", 6)), "PAUSE\\x00: commands are printable ASCII");
  EXPECT_EQ(rejected("PAUSE\n"), "PAUSE\\x0a: commands are printable ASCII");
  EXPECT_EQ(rejected("\xff"), "\\xff: commands are printable ASCII");
  const std::string shown = std::string(32, 'A') + "...";
  EXPECT_EQ(rejected(std::string(k_max_command + 1, 'A')),
            shown + ": command longer than 8192 bytes");
  EXPECT_EQ(rejected(std::string(100'000'000, 'A')), shown + ": command longer than 8192 bytes");
}

TEST(ControlCommand, KnowsQuestionsAndClassics) {
  EXPECT_TRUE(parsed("STATISTICS").asks_only());
  EXPECT_TRUE(parsed("STATUS").asks_only());
  EXPECT_FALSE(parsed("DRAIN").asks_only());
  EXPECT_TRUE(parsed("TERMINATE").is_classic());
  EXPECT_FALSE(parsed("DRAIN").is_classic());
}

TEST(ControlCommand, PrintableEscapesAndCuts) {
  EXPECT_EQ(printable("a b"), "a b");
  EXPECT_EQ(printable(std::string_view("\0\n\\\xff", 4)), "\\x00\\x0a\\x5c\\xff");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
}

}  // namespace
}  // namespace sluice::core
