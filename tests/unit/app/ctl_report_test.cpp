// SPDX-License-Identifier: Apache-2.0
#include "app/ctl/ctl_report.hpp"

#include "core/control/status_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sluice::app {
namespace {

std::string status(std::uint64_t messages, std::uint64_t cpu_ns, std::uint64_t polls, int ms,
                   bool counted = true) {
  core::ProcessStatus out;
  out.uptime = std::chrono::milliseconds(ms);
  RouteStatus route;
  route.name = "market";
  route.state = RouteState::running;
  route.statistics.frontend.received_messages = messages;
  route.statistics.frontend.received_bytes = messages * 100;
  route.statistics.loop.cpu_ns = cpu_ns;
  SinkStatus sink;
  sink.name = "edge";
  sink.dropped_messages = 3;
  route.sinks.push_back(sink);
  out.routes.push_back(route);
  if (counted) out.syscalls = SyscallCounts{{{"poll", polls}}, {{"sendto", 5}}, {}};
  return core::status_json(out);
}

TEST(CtlReport, RatesAreOfTheInterval) {
  const StatsReport report =
      make_stats(status(1000, 500'000, 10, 1000), status(3000, 2'500'000, 30, 3000));
  ASSERT_EQ(report.routes.size(), 1U);
  const RouteStats& route = report.routes[0];
  EXPECT_DOUBLE_EQ(report.seconds, 2.0);
  EXPECT_EQ(route.messages, 3000U);
  EXPECT_DOUBLE_EQ(route.messages_per_s, 1000.0);
  EXPECT_DOUBLE_EQ(route.bytes_per_s, 100'000.0);
  EXPECT_DOUBLE_EQ(route.cpu_ns_per_message.value(), 1000.0);
  EXPECT_DOUBLE_EQ(route.cpu_share, 0.001);
  EXPECT_EQ(route.dropped, 3U);
  const CallStats& poll = report.calls.value().at("forwarding").at("poll");
  EXPECT_EQ(poll.total, 30U);
  EXPECT_DOUBLE_EQ(poll.per_s, 10.0);
  EXPECT_DOUBLE_EQ(poll.per_message.value(), 0.01);
  EXPECT_TRUE(report.of_interval);
}

TEST(CtlReport, AnIdleIntervalFallsBackToTheWholeRun) {
  const StatsReport report =
      make_stats(status(1000, 500'000, 10, 1000), status(1000, 500'000, 10, 2000));
  EXPECT_FALSE(report.of_interval);
  EXPECT_DOUBLE_EQ(report.routes[0].cpu_ns_per_message.value(), 500.0);
  EXPECT_DOUBLE_EQ(report.calls.value().at("forwarding").at("poll").per_message.value(), 0.01);
}

TEST(CtlReport, NothingEverPassedAndNothingCounted) {
  const StatsReport report = make_stats(status(0, 0, 0, 1000, false), status(0, 0, 0, 1000, false));
  EXPECT_FALSE(report.routes[0].cpu_ns_per_message);
  EXPECT_FALSE(report.calls);
  EXPECT_NE(stats_text(report).find("not counted"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(stats_json(report))["syscalls"].is_null());
}

TEST(CtlReport, TextAndJsonShowTheFigures) {
  const StatsReport report =
      make_stats(status(1000, 500'000, 10, 1000), status(3000, 2'500'000, 30, 3000));
  const std::string text = stats_text(report);
  for (const char* part : {"market", "running", "3,000", "1000", "poll", "sendto", "0.0100"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  const auto json = nlohmann::json::parse(stats_json(report));
  EXPECT_EQ(json["routes"][0]["messages_per_s"], 1000.0);
  EXPECT_EQ(json["syscalls"]["forwarding"]["poll"]["total"], 30);
}

TEST(CtlReport, StatusForPeople) {
  const std::string text = status_report(status(1234567, 0, 0, 1500));
  for (const char* part : {"up 1.5 s", "route market: running", "1,234,567", "edge"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_FALSE(has_stopped(status(0, 0, 0, 0), "market"));
  EXPECT_FALSE(has_stopped("{}", "market"));
}

TEST(CtlReport, WhatIsNoStatusIsAnError) {
  EXPECT_THROW(static_cast<void>(make_stats("", "")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(make_stats("{}", "{}")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(status_report("[]")), std::runtime_error);
}

}  // namespace
}  // namespace sluice::app
