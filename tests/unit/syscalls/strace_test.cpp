// SPDX-License-Identifier: Apache-2.0
#include "child.hpp"
#include "support/scratch.hpp"
#include "syscalls/kinds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <sstream>

namespace sluice::test {
namespace {

using Table = std::map<std::string, std::uint64_t>;

struct Report {
  std::map<std::string, std::string> roles;  ///< by thread
  std::map<std::string, Table> calls;        ///< by role
};

Report read_report(Child& program) {
  Report report;
  // strace slows the program down many times.
  while (const auto line = program.line(8 * patience())) {
    std::istringstream words{*line};
    std::string what;
    std::string first;
    std::string second;
    words >> what >> first >> second;
    if (what == "thread") {
      report.roles[first] = second;
    } else if (what == "calls") {
      words >> report.calls[first][second];
    }
  }
  return report;
}

// Lines of strace -f -o: "TID name(arguments) = result", the call cut in two where another thread
// came in between ("<... name resumed>"), "+++" and "---" for ends and signals.
std::map<std::string, Table> read_strace(const std::string& path,
                                         const std::map<std::string, std::string>& roles) {
  std::map<std::string, Table> calls;
  std::ifstream file{path};
  for (std::string line; std::getline(file, line);) {
    std::istringstream words{line};
    std::string thread;
    std::string call;
    words >> thread >> call;
    const auto role = roles.find(thread);
    const auto end = call.find('(');
    if (role != roles.end() && end != std::string::npos && end > 0 &&
        std::islower(static_cast<unsigned char>(call.front())) != 0) {
      ++calls[role->second][call.substr(0, end)];
    }
  }
  return calls;
}

TEST(SyscallCounts, T_06_AgreeWithAnOutsideTrace) {
  const ScratchDirectory scratch;
  const std::string output = (scratch / "strace").string();
  Child program{{"strace", "-f", "-qq", "-o", output, TRAFFIC, "5000"},
                {k_calm_sanitizers}};  // throws if it is missing
  Report report = read_report(program);
  ASSERT_EQ(program.wait(), 0);
  auto traced = read_strace(output, report.roles);

  for (const std::string role : {"forwarding", "io"}) {
    std::uint64_t total = 0;
    for (const char* const kind : syscalls::k_kind_names) {
      if (std::string{"unlisted"} == kind) {
        continue;  // by number, so under other names in the trace
      }
      const auto counted = static_cast<double>(report.calls[role][kind]);
      const auto seen = static_cast<double>(traced[role][kind]);
      EXPECT_NEAR(counted, seen, std::max(50.0, seen * 0.02)) << role << ' ' << kind;
      total += report.calls[role][kind];
      if (counted > 0 || seen > 0) {
        RecordProperty(role + "_" + kind, std::to_string(static_cast<long>(counted)) + "/" +
                                              std::to_string(static_cast<long>(seen)));
      }
    }
    EXPECT_GT(total, 1000U) << role;
  }
}

}  // namespace
}  // namespace sluice::test
