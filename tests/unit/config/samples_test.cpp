// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace sluice::config {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Samples, EveryOneLoadsWithoutAWarning) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SLUICE_CONFIG_FOLDER)) {
    if (entry.path().extension() != ".ini") continue;
    ++count;
    Sources from;
    from.path = entry.path();
    from.directory = "/run/t";
    EXPECT_TRUE(test::loaded(from).warnings.empty()) << entry.path();
  }
  EXPECT_GE(count, 2U);
}

// "# [section]" and "# key = value" are examples too. Left out are the two that exclude what the
// file sets itself.
TEST(Samples, TheCommentedLinesOfTheFullSampleAreValid) {
  const std::regex example(R"(^# (\[.*\]|[a-z_]+ += .*))");
  std::istringstream lines(text_of(SLUICE_CONFIG_FOLDER "/sluice.ini"));
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# tuning") || line.starts_with("# latency_budget")) continue;
    all += (std::regex_search(line, example) ? line.substr(2) : line) + "\n";
  }
  const LoadedConfig config = test::loaded(all);
  EXPECT_EQ(config.plugins.size(), 1U);
  EXPECT_EQ(config.generators.size(), 1U);
  EXPECT_EQ(config.routes.at(0).subscribe.size(), 2U);
  EXPECT_TRUE(config.routes.at(0).tap.has_value());
}

TEST(Samples, TheQuickStart) {
  Sources from;
  from.path = SLUICE_CONFIG_FOLDER "/quickstart.ini";
  from.directory = "/run/t";
  from.sets = {"sink.tcp.bind=tcp://127.0.0.1:6000"};
  const LoadedConfig config = test::loaded(from);
  EXPECT_EQ(config.generators.size(), 2U);
  ASSERT_EQ(config.routes.size(), 1U);
  ASSERT_EQ(config.routes[0].sinks.size(), 2U);
  EXPECT_EQ(config.routes[0].sinks[0].bind.at(0), "tcp://127.0.0.1:6000");
  EXPECT_EQ(config.routes[0].sinks[1].bind.at(0), "ipc:///run/t/sluice-data.sock");
  ASSERT_TRUE(config.control.has_value());
  EXPECT_EQ(config.control->bind.at(0), "ipc:///run/t/sluice-control.sock");
}

}  // namespace
}  // namespace sluice::config
