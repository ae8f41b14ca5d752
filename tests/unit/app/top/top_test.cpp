// SPDX-License-Identifier: Apache-2.0
#include "app/top/view.hpp"
#include "core/control/status_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sluice::app::top {
namespace {

using namespace std::chrono_literals;

// A process with the routes "a" and "b", so many seconds old, with 1000 messages a second.
struct Process {
  core::ProcessStatus status;

  Process() {
    for (const char* name : {"a", "b"}) {
      RouteStatus route;
      route.name = name;
      route.state = RouteState::running;
      SinkStatus sink;
      sink.name = "edge";
      sink.engine = Engine::native;
      sink.peers = 2;
      sink.dropped_messages = 0;
      sink.delivered_messages = 0;
      sink.peer_table = std::vector<PeerStatus>(1);
      route.sinks.push_back(sink);
      status.routes.push_back(route);
    }
    status.syscalls.emplace();
  }

  // A second later, at this cost of each message.
  Sample second(std::uint64_t cpu_ns, std::uint64_t calls) {
    status.uptime += 1s;
    for (RouteStatus& route : status.routes) {
      route.statistics.frontend.received_messages += 1'000;
      route.statistics.frontend.received_bytes += 100'000;
      route.statistics.loop.cpu_ns += 1'000 * cpu_ns;
      route.statistics.loop.bursts += 500;
    }
    status.syscalls->forwarding["poll"] += 1'000 * calls;
    status.syscalls->io["write"] += 1'000 * calls;
    return read_sample(core::status_json(status));
  }
};

TEST(Top, MakesRatesOfTwoSamples) {
  Process process;
  History history;
  history.add(process.second(5'000, 3), 1);
  EXPECT_FALSE(history.last("a"));
  history.add(process.second(7'000, 3), 2);
  const Passed p = history.last("a").value();
  EXPECT_DOUBLE_EQ(p.messages_per_s(), 1'000);
  EXPECT_DOUBLE_EQ(p.bytes_per_s(), 100'000);
  EXPECT_DOUBLE_EQ(p.cpu_ns_per_message().value(), 7'000);
  EXPECT_DOUBLE_EQ(p.calls_per_message().value(), 3);  // 6000 calls for 2000 messages
  EXPECT_DOUBLE_EQ(p.burst().value(), 2);
  EXPECT_TRUE(history.changes().empty());
}

TEST(Top, MarksAChangeWithBeforeAndAfter) {
  Process process;
  History history;
  for (int i = 0; i < 8; ++i) history.add(process.second(10'000, 12), i);
  process.status.routes[0].tuning.coalesce_delay = 1ms;
  history.add(process.second(6'000, 7), 8);  // neither before nor after
  ASSERT_EQ(history.changes().size(), 1U);
  EXPECT_EQ(history.changes().front().route, "a");
  EXPECT_EQ(history.changes().front().what, "coalesce_delay 0 -> 1ms");
  EXPECT_EQ(history.changes().front().intervals_after, 0);
  for (int i = 9; i < 20; ++i) history.add(process.second(2'000, 1), i);
  const Change& change = history.changes().front();
  EXPECT_EQ(change.intervals_after, k_compared_intervals);
  EXPECT_EQ(before_and_after(change),
            "CPU ns/msg 10,000 -> 2,000 (x 0.20), calls/msg 12.00 -> 1.00 (x 0.08), "
            "msg/s 1,000 -> 1,000");
}

TEST(Top, ANewerChangeEndsTheAfterOfTheOneBefore) {
  Process process;
  History history;
  for (int i = 0; i < 3; ++i) history.add(process.second(10'000, 10), i);
  process.status.routes[0].tuning.inbound_poll_rate = 10;
  for (int i = 3; i < 6; ++i) history.add(process.second(20'000, 10), i);
  process.status.routes[0].state = RouteState::paused;
  for (int i = 6; i < 9; ++i) history.add(process.second(30'000, 10), i);
  ASSERT_EQ(history.changes().size(), 2U);
  EXPECT_EQ(history.changes()[0].what, "inbound_poll_rate 1000 -> 10");
  EXPECT_DOUBLE_EQ(history.changes()[0].after.cpu_ns_per_message().value(), 20'000);
  EXPECT_EQ(history.changes()[1].what, "state running -> paused");
  EXPECT_DOUBLE_EQ(history.changes()[1].before.cpu_ns_per_message().value(), 20'000);
  EXPECT_DOUBLE_EQ(history.changes()[1].after.cpu_ns_per_message().value(), 30'000);
}

TEST(Top, AdaptiveShowsItsBudget) {
  Process process;
  process.status.routes[0].tuning.mode = TuningMode::adaptive;
  process.status.routes[0].tuning.latency_budget = 2ms;
  const Sample sample = process.second(1, 1);
  EXPECT_EQ(sample.routes[0].settings[4],
            (std::pair<std::string, std::string>{"latency_budget", "2ms"}));
  EXPECT_EQ(sample.routes[1].settings[4].first, "edge.engine");
}

TEST(Top, PlainLinesAreOneForEachRouteAndTellAChangeOnce) {
  Process process;
  History history;
  std::string all;
  for (int i = 0; i < 12; ++i) {
    if (i == 4) process.status.routes[1].tuning.coalesce_delay = 500us;
    history.add(process.second(5'000, 2), i);
    all += plain_lines(history, "", i, false);
  }
  std::size_t told = 0;
  for (auto at = all.find("coalesce_delay 0 -> 500us"); at != std::string::npos;
       at = all.find("coalesce_delay 0 -> 500us", at + 1)) {
    ++told;
  }
  EXPECT_EQ(told, 2U) << all;  // when it happened, and with before and after
  EXPECT_EQ(plain_lines(history, "a", 20, false).find("  b  "), std::string::npos);
  EXPECT_EQ(all.find('\033'), std::string::npos);
}

TEST(Top, TheScreenFitsTheTerminal) {
  Process process;
  History history;
  for (int i = 0; i < 5; ++i) history.add(process.second(5'000, 2), i);
  const std::string text = screen(history, "", {.columns = 40, .rows = 10});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9);
  std::size_t at = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', at)) {
    EXPECT_LE(end - at, 40U);
    at = end + 1;
  }
  const std::string wide = screen(history, "", {.columns = 200, .rows = 60});
  for (const char* word : {"ROUTE", "CALLS/MSG", "in force", "edge", "changes"}) {
    EXPECT_NE(wide.find(word), std::string::npos) << word;
  }
}

TEST(Top, JsonLinesCarryTheSame) {
  Process process;
  History history;
  for (int i = 0; i < 4; ++i) history.add(process.second(5'000, 2), i);
  process.status.routes[0].tuning.coalesce_delay = 1ms;
  history.add(process.second(5'000, 2), 4);
  const std::string text = json_line(history, "a", 4);
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  const auto json = nlohmann::json::parse(text);
  ASSERT_EQ(json.at("routes").size(), 1U);
  EXPECT_EQ(json.at("routes")[0].at("settings").at("coalesce_delay"), "1ms");
  EXPECT_DOUBLE_EQ(json.at("routes")[0].at("cpu_ns_per_message").get<double>(), 5'000);
  EXPECT_EQ(json.at("changes")[0].at("what"), "coalesce_delay 0 -> 1ms");
  EXPECT_TRUE(json.at("changes")[0].at("after").is_null());
}

TEST(Top, AnotherProcessBeginsAgain) {
  Process process;
  History history;
  for (int i = 0; i < 4; ++i) history.add(process.second(5'000, 2), i);
  Sample other = process.second(5'000, 2);
  other.pid += 1;
  history.add(other, 5);
  EXPECT_FALSE(history.last("a"));
}

TEST(Top, NoStatusIsSaid) {
  EXPECT_THROW(static_cast<void>(read_sample("ERR nothing")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(read_sample("{}")), std::runtime_error);
}

}  // namespace
}  // namespace sluice::app::top
