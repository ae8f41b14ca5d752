// SPDX-License-Identifier: Apache-2.0
#include "app/admin/metrics.hpp"

#include "config/config.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace sluice::app {
namespace {

MetricsInput sample() {
  MetricsInput input;
  input.version = "1.2.3";
  input.revision = "abc";
  input.libzmq = "4.3.4";
  RouteStatus route;
  route.name = "market";
  route.state = RouteState::paused;
  route.statistics.frontend = {.received_messages = 10, .received_bytes = 1000};
  route.statistics.loop.cpu_ns = 2'500'000'000;
  route.statistics.loop.worst_turn_us = 1500;
  route.statistics.tap_dropped_messages = 3;
  route.sources = {{"feed", "tcp://a:1", "connect", "connected"}};
  SinkStatus native;
  native.name = "edge";
  native.engine = Engine::native;
  native.peers = 2;
  native.dropped_messages = 7;
  native.delivered_messages = 13;
  native.partings = {{"peer_left", 4}};
  native.peer_table.emplace(2);
  native.peer_table->at(0).queued_messages = 5;
  native.peer_table->at(0).queue_age_us = 1'000'000;
  native.peer_table->at(1).queued_messages = 6;
  SinkStatus zmq;
  zmq.name = "old";
  route.sinks = {native, zmq};
  input.routes = {route};
  input.syscalls = SyscallCounts{.forwarding = {{"poll", 9}}, .io = {{"write", 8}}, .other = {}};
  input.commands.rows = {{"pause", 1, 2}};
  input.commands.seconds.by_bucket[0] = 2;
  input.commands.seconds.by_bucket[core::k_latency_buckets - 1] = 1;
  input.commands.seconds.sum_ns = 5'000'000'000;
  input.http.responses = {{200, 3}};
  return input;
}

testing::AssertionResult has(const std::string& text, const std::string& line) {
  if (("\n" + text).find("\n" + line + "\n") != std::string::npos) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "no line " << line << " in\n" << text;
}

TEST(Metrics, Values) {
  const std::string text = metrics_text(sample());
  for (const char* line : {
           R"(sluice_build_info{version="1.2.3",revision="abc",libzmq="4.3.4"} 1)",
           R"(sluice_messages_total{route="market",side="frontend",direction="received"} 10)",
           R"(sluice_bytes_total{route="market",side="frontend",direction="received"} 1000)",
           R"(sluice_dropped_messages_total{route="market",sink="edge",reason="queue_full"} 7)",
           R"(sluice_dropped_messages_total{route="market",sink="",reason="tap_full"} 3)",
           R"(sluice_state{route="market",state="paused"} 1)",
           R"(sluice_state{route="market",state="running"} 0)",
           R"(sluice_sources{route="market",state="connected"} 1)",
           R"(sluice_peers{route="market",sink="edge"} 2)",
           R"(sluice_delivered_messages_total{route="market",sink="edge"} 13)",
           R"(sluice_partings_total{route="market",sink="edge",reason="peer_left"} 4)",
           R"(sluice_queue_messages{route="market",sink="edge"} 11)",
           R"(sluice_queue_longest_messages{route="market",sink="edge"} 6)",
           R"(sluice_queue_oldest_seconds{route="market",sink="edge"} 1)",
           R"(sluice_forward_cpu_seconds_total{route="market"} 2.5)",
           R"(sluice_cpu_seconds_total{thread="forwarding"} 2.5)",
           R"(sluice_loop_worst_turn_seconds{route="market"} 0.0015)",
           R"(sluice_syscalls_total{thread="forwarding",call="poll"} 9)",
           R"(sluice_syscalls_total{thread="io",call="write"} 8)",
           R"(sluice_control_commands_total{command="pause",result="refused"} 2)",
           R"(sluice_admin_responses_total{code="200"} 3)",
       }) {
    EXPECT_TRUE(has(text, line));
  }
}

TEST(Metrics, WhatLibzmqDoesNotTellIsNotThere) {
  const std::string text = metrics_text(sample());
  EXPECT_TRUE(has(text, R"(sluice_peers{route="market",sink="old"} 0)"));
  for (const char* name : {"sluice_dropped_messages_total", "sluice_delivered_messages_total",
                           "sluice_queue_messages"}) {
    EXPECT_EQ(text.find(std::string(name) + R"({route="market",sink="old")"), std::string::npos);
  }
}

TEST(Metrics, WithoutTheCounterThereAreNoSystemCalls) {
  MetricsInput input = sample();
  input.syscalls.reset();
  EXPECT_EQ(metrics_text(input).find("sluice_syscalls_total"), std::string::npos);
}

TEST(Metrics, HistogramsAreCumulative) {
  const std::string text = metrics_text(sample());
  EXPECT_TRUE(has(text, R"(sluice_control_command_seconds_bucket{le="1e-06"} 2)"));
  EXPECT_TRUE(has(text, R"(sluice_control_command_seconds_bucket{le="+Inf"} 3)"));
  EXPECT_TRUE(has(text, "sluice_control_command_seconds_count 3"));
  EXPECT_TRUE(has(text, "sluice_control_command_seconds_sum 5"));
}

TEST(Metrics, SettingsComeFromTheTable) {
  config::Sources sources;
  sources.use_text = true;
  sources.text =
      "[route market]\ncoalesce_delay = 1ms\nlinger = 2s\n[source s]\nbind = ipc:///tmp/s\n"
      "[sink edge]\nbind = tcp://127.0.0.1:*\nsend_hwm_bytes = 1MiB\n";
  const std::string text =
      setting_metrics_text(std::get<config::LoadedConfig>(config::load(sources)).sections);
  EXPECT_TRUE(
      has(text, R"(sluice_setting_seconds{section="route.market",key="coalesce_delay"} 0.001)"));
  EXPECT_TRUE(has(text, R"(sluice_setting{section="route.market",key="inbound_poll_rate"} 1000)"));
  EXPECT_TRUE(
      has(text, R"(sluice_setting_bytes{section="sink.edge",key="send_hwm_bytes"} 1048576)"));
  EXPECT_TRUE(
      has(text, R"(sluice_setting_choice{section="sink.edge",key="on_full",value="drop"} 1)"));
}

TEST(Metrics, EveryFamilyComesOnceWithItsHelpAndItsSuffix) {
  std::istringstream lines(metrics_text(sample()));
  std::set<std::string> families;
  std::string help;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# HELP ")) help = line.substr(7, line.find(' ', 7) - 7);
    if (!line.starts_with("# TYPE ")) continue;
    std::istringstream words(line.substr(7));
    std::string name;
    std::string type;
    words >> name >> type;
    EXPECT_EQ(name, help);
    EXPECT_TRUE(families.insert(name).second) << name;
    EXPECT_EQ(type == "counter", name.ends_with("_total")) << name;
  }
  EXPECT_GT(families.size(), 35U);
}

TEST(LatencyHistogram, Buckets) {
  using core::LatencyHistogram;
  EXPECT_EQ(LatencyHistogram::bucket_of(0), 0U);
  EXPECT_EQ(LatencyHistogram::bucket_of(1'000), 0U);
  EXPECT_EQ(LatencyHistogram::bucket_of(1'001), 1U);
  EXPECT_EQ(LatencyHistogram::bucket_of(2'000), 1U);
  EXPECT_EQ(LatencyHistogram::bucket_of(4'000), 2U);
  EXPECT_EQ(LatencyHistogram::bucket_of(4'001), 3U);
  EXPECT_EQ(LatencyHistogram::bucket_of(1ULL << 60U), core::k_latency_buckets - 1);
}

}  // namespace
}  // namespace sluice::app
