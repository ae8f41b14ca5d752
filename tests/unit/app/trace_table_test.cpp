// SPDX-License-Identifier: Apache-2.0
#include "app/trace/trace_table.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sluice::app {
namespace {

std::vector<syscalls::TracedProcess> sample() {
  syscalls::TracedProcess process;
  process.pid = 7;
  process.program = "/bin/x";
  process.counts.forwarding = {{"poll", 1}, {"read", 5}};
  process.counts.io = {{"read", 4}};
  process.counts.other = {{"write", 30}};
  return {process};
}

TEST(TraceTable, MostFrequentFirst) {
  const std::string text = trace_text(sample());
  const auto write = text.find("write");
  const auto read = text.find("read");
  const auto poll = text.find("poll");
  EXPECT_LT(write, read);
  EXPECT_LT(read, poll);
  EXPECT_NE(text.find("process 7 /bin/x"), std::string::npos);
  EXPECT_NE(text.find("total"), std::string::npos);
  EXPECT_NE(text.find("75.00"), std::string::npos);
}

TEST(TraceTable, Json) {
  const auto json = nlohmann::json::parse(trace_json(sample()));
  EXPECT_EQ(json[0]["pid"], 7);
  EXPECT_EQ(json[0]["syscalls"]["forwarding"]["read"], 5);
}

}  // namespace
}  // namespace sluice::app
