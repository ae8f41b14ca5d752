// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

#include <filesystem>
#include <fstream>
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

// Lines as "# bind = ..." are examples too: with them in, the full sample still loads, but for the
// two that exclude each other with what stands there.
TEST(Samples, TheCommentedLinesOfTheFullSampleAreValid) {
  std::istringstream lines(text_of(SLUICE_CONFIG_FOLDER "/sluice.ini"));
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find(" = ");
    const bool example =
        line.starts_with("# [") ||
        (line.starts_with("# ") && equals != std::string::npos &&
         line.find_first_of(" ", 2) >= line.find_first_not_of(" ", 2) &&
         line.substr(2, line.find(' ', 2) - 2).find_first_of(".:,;") == std::string::npos &&
         line.substr(line.find(' ', 2)).find_first_not_of(' ') + line.find(' ', 2) ==
             line.find('='));
    if (line.find("tuning ") != std::string::npos) continue;
    if (line.find("latency_budget") != std::string::npos) continue;
    all += (example ? line.substr(2) : line) + "\n";
  }
  EXPECT_NE(all.find("\n[plugin mine]"), std::string::npos);
  EXPECT_NE(all.find("\nargs ="), std::string::npos);
  EXPECT_EQ(test::errors_of(all), "") << all;
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
