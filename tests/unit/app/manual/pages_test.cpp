// SPDX-License-Identifier: Apache-2.0
#include "app/manual/pages.hpp"

#include "app/command/arguments.hpp"
#include "app/command/commands.hpp"
#include "app/manual/roff.hpp"
#include "app/program.hpp"
#include "config/table.hpp"

#include <gmock/gmock.h>

namespace sluice::app::manual {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Roff, EscapesWhatRoffWouldTakeForItsOwn) {
  EXPECT_EQ(escaped("a\\nb"), "a\\enb");
  EXPECT_EQ(escaped("--set"), "\\-\\-set");
  EXPECT_EQ(escaped(".TH\n'x\na.b"), "\\&.TH\n\\&'x\na.b");
  EXPECT_EQ(escaped("`a`"), "\\(gaa\\(ga");
}

TEST(Roff, QuotesInHeadingsStayInTheirArgument) {
  Page page("name", "1", "summary");
  page.subheading("say \"this\"");
  EXPECT_THAT(page.text(), HasSubstr(".SS \"say \\(dqthis\\(dq\"\n"));
}

TEST(Roff, NoParagraphMacroAfterAHeading) {
  Page page("name", "1", "summary");
  page.heading("ONE");
  page.paragraph("first");
  page.paragraph("second");
  EXPECT_THAT(page.text(), HasSubstr(".SH \"ONE\"\nfirst\n.PP\nsecond\n"));
}

TEST(Pages, HaveEverySettingAndEveryCommand) {
  const std::string settings = settings_page();
  for (const config::Setting& setting : config::settings()) {
    EXPECT_THAT(settings, HasSubstr("\n\\fB" + escaped(setting.key) + "\\fR ")) << setting.key;
  }
  const std::string commands = command_page();
  for (const CommandSpec* spec : command_specs()) {
    EXPECT_THAT(commands, HasSubstr(".SS \"sluice " + std::string(spec->name) + ' '));
  }
}

TEST(Pages, CompletionKnowsCommandsOptionsAndWords) {
  const std::string text = bash_completion();
  for (const CommandSpec* spec : command_specs()) {
    EXPECT_THAT(text, HasSubstr("    " + std::string(spec->name) + ") options='"));
    for (const OptionSpec& option : spec->options) {
      EXPECT_THAT(text, HasSubstr("--" + std::string(option.name)));
    }
  }
  for (const std::string_view word : ctl_words()) {
    EXPECT_THAT(text, HasSubstr(std::string(word) + ' '));
  }
  EXPECT_THAT(text, Not(HasSubstr("$keys")));
}

TEST(Pages, BenchPageHasTheHelpAsItIs) {
  EXPECT_THAT(bench_page("  --seconds=3   how long\n"),
              HasSubstr("  \\-\\-seconds=3   how long\n.EE"));
}

}  // namespace
}  // namespace sluice::app::manual
