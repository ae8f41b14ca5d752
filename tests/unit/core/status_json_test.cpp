// SPDX-License-Identifier: Apache-2.0
#include "core/control/status_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <set>
#include <string>

namespace sluice::core {
namespace {

using nlohmann::json;

std::set<std::string> keys(const json& object) {
  std::set<std::string> out;
  for (const auto& item : object.items()) out.insert(item.key());
  return out;
}

ProcessStatus sample() {
  ProcessStatus status;
  status.uptime = std::chrono::milliseconds{1500};
  RouteStatus route;
  route.name = "market";
  route.state = RouteState::paused;
  route.tuning.coalesce_delay = std::chrono::microseconds{250};
  route.statistics.frontend.received_bytes = std::numeric_limits<std::uint64_t>::max();
  route.sources.push_back({"feed", "ipc:///x", "bind", "listening"});
  SinkStatus zmq_sink;
  zmq_sink.name = "edge";
  zmq_sink.endpoints = {"tcp://127.0.0.1:1"};
  route.sinks.push_back(zmq_sink);
  SinkStatus native;
  native.engine = Engine::native;
  native.dropped_messages = 0;
  native.delivered_messages = 7;
  native.partings.emplace()["old_version"] = 3;
  native.peer_table.emplace().emplace_back();
  route.sinks.push_back(native);
  status.routes.push_back(route);
  return status;
}

TEST(StatusJson, HasExactlyTheKeysOfTheContract) {
  const json out = json::parse(status_json(sample()));
  EXPECT_EQ(keys(out), (std::set<std::string>{"version", "libzmq", "pid", "uptime_s", "routes",
                                              "reload", "syscalls"}));
  const json& route = out["routes"][0];
  EXPECT_EQ(keys(route), (std::set<std::string>{"name", "state", "reason", "tuning", "frontend",
                                                "backend", "sources", "sinks", "loop"}));
  EXPECT_EQ(keys(route["tuning"]),
            (std::set<std::string>{"inbound_poll_rate", "max_command_delay_us", "coalesce_delay_us",
                                   "mode"}));
  const std::set<std::string> side{"received_messages", "received_bytes", "sent_messages",
                                   "sent_bytes"};
  EXPECT_EQ(keys(route["frontend"]), side);
  EXPECT_EQ(keys(route["backend"]), side);
  EXPECT_EQ(keys(route["sources"][0]),
            (std::set<std::string>{"name", "endpoint", "mode", "state"}));
  EXPECT_EQ(
      keys(route["sinks"][0]),
      (std::set<std::string>{"name", "engine", "endpoints", "on_full", "peers", "subscriptions",
                             "dropped_messages", "delivered_messages", "partings", "peer_table"}));
  EXPECT_TRUE(route["sinks"][0]["peer_table"].is_null());
  EXPECT_TRUE(route["sinks"][0]["partings"].is_null());
  EXPECT_EQ(keys(route["sinks"][1]["peer_table"][0]),
            (std::set<std::string>{"address", "subscriptions", "queued_messages", "queued_bytes",
                                   "queue_age_us", "delivered_messages", "dropped_messages"}));
  EXPECT_EQ(route["sinks"][1]["partings"]["old_version"], 3);
  EXPECT_EQ(keys(route["loop"]),
            (std::set<std::string>{"wakes", "bursts", "holds", "holds_cut", "looks",
                                   "worst_turn_us", "cpu_ns", "voluntary_switches"}));
}

TEST(StatusJson, CarriesTheValues) {
  const json out = json::parse(status_json(sample()));
  EXPECT_EQ(out["uptime_s"], 1.5);
  const json& route = out["routes"][0];
  EXPECT_EQ(route["state"], "paused");
  EXPECT_EQ(route["tuning"]["coalesce_delay_us"], 250);
  EXPECT_EQ(route["tuning"]["mode"], "fixed");
  EXPECT_EQ(route["frontend"]["received_bytes"], std::numeric_limits<std::uint64_t>::max());
}

TEST(StatusJson, WhatIsNotKnownIsNull) {
  ProcessStatus status = sample();
  json out = json::parse(status_json(status));
  EXPECT_TRUE(out["syscalls"].is_null());
  EXPECT_TRUE(out["reload"].is_null());
  EXPECT_TRUE(out["routes"][0]["sinks"][0]["dropped_messages"].is_null());
  EXPECT_EQ(out["routes"][0]["sinks"][1]["dropped_messages"], 0);
  status.syscalls = SyscallCounts{{{"poll", 3}}, {}, {}};
  out = json::parse(status_json(status));
  EXPECT_EQ(keys(out["syscalls"]), (std::set<std::string>{"forwarding", "io", "other"}));
  EXPECT_EQ(out["syscalls"]["forwarding"]["poll"], 3);
  EXPECT_TRUE(out["syscalls"]["io"].is_object());
}

TEST(StatusJson, TheLastReload) {
  ProcessStatus status = sample();
  status.reload.emplace().last_success_time = 5;
  json reload = json::parse(status_json(status))["reload"];
  EXPECT_EQ(keys(reload), (std::set<std::string>{"result", "time_s", "last_success_time_s", "error",
                                                 "successes", "failures"}));
  EXPECT_TRUE(reload["result"].is_null());
  EXPECT_TRUE(reload["time_s"].is_null());
  status.reload->last_succeeded = false;
  status.reload->last_error = "why";
  reload = json::parse(status_json(status))["reload"];
  EXPECT_EQ(reload["result"], "failed");
  EXPECT_EQ(reload["error"], "why");
}

TEST(StatusJson, StaysValidWithAnyBytes) {
  ProcessStatus status = sample();
  status.routes[0].reason = "\xff\x00\n\"";
  const std::string text = status_json(status);
  EXPECT_TRUE(json::accept(text));
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace sluice::core
