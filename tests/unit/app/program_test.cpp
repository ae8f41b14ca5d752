// SPDX-License-Identifier: Apache-2.0
#include "app/program.hpp"

#include "app/command/commands.hpp"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

struct Result {
  ExitCode code;
  std::string out;
  std::string err;
};

Result run(const std::vector<std::string>& words) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const ExitCode code = run_program(words);
  std::fflush(stdout);
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

TEST(Program, HelpAndVersionGoToStdout) {
  for (const auto& words : {std::vector<std::string>{"-h"},
                            {"--help"},
                            {"help"},
                            {"help", "run"},
                            {"run", "--help"},
                            {"-V"},
                            {"--version"},
                            {"version"}}) {
    const Result result = run(words);
    EXPECT_EQ(result.code, ExitCode::done) << words.front();
    EXPECT_FALSE(result.out.empty());
    EXPECT_TRUE(result.err.empty());
  }
}

TEST(Program, WrongWordsAreUsageErrorsOnStderr) {
  for (const auto& words : {std::vector<std::string>{},
                            {"nosuch"},
                            {"--nosuch"},
                            {"run"},
                            {"check"},
                            {"ctl"},
                            {"ctl", "nosuch"},
                            {"trace"},
                            {"help", "nosuch"},
                            {"ctl", "get"},
                            {"ctl", "attach", "r"},
                            {"run", "-c", "f", "--for", "soon"}}) {
    const Result result = run(words);
    EXPECT_EQ(result.code, ExitCode::usage);
    EXPECT_TRUE(result.out.empty());
    EXPECT_FALSE(result.err.empty());
  }
}

TEST(Program, SuggestsWhatIsNear) {
  EXPECT_NE(run({"chek"}).err.find("did you mean check"), std::string::npos);
  EXPECT_NE(run({"ctl", "puase"}).err.find("did you mean pause"), std::string::npos);
}

TEST(Program, AMissingFileIsAConfigurationError) {
  EXPECT_EQ(run({"check", "-c", "/nonexistent/x.ini"}).code, ExitCode::configuration);
}

TEST(Program, E_02_a_libzmq_with_known_faults_is_named) {
  EXPECT_EQ(libzmq_warning(4, 3, 3), "");
  EXPECT_EQ(libzmq_warning(4, 3, 4), "");
  EXPECT_EQ(libzmq_warning(5, 0, 0), "");
  EXPECT_NE(libzmq_warning(4, 3, 2).find("libzmq 4.3.2 "), std::string::npos);
  EXPECT_NE(libzmq_warning(4, 2, 9).find("CVE"), std::string::npos);
}

}  // namespace
}  // namespace sluice::app
