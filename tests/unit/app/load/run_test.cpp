// SPDX-License-Identifier: Apache-2.0
#include "app/load/run.hpp"

#include "app/load/report.hpp"
#include "support/deadline.hpp"
#include "support/ports.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace sluice::app::load {
namespace {

bool go_on(const Progress&) {
  return true;
}

// No proxy between: the publisher binds.
Options direct(std::uint64_t rate, std::uint64_t count) {
  const std::string endpoint = test::free_tcp();
  Options o;
  o.publish = {{endpoint, true}};
  o.subscribe = {{endpoint, false}};
  o.rate = rate;
  o.count = count;
  o.wait = test::patience();
  o.settle = test::patience();
  return o;
}

TEST(LoadRun, EveryMessageIsAccountedFor) {
  Options o = direct(20'000, 2'001);
  o.topics = {"eur", "usd", "gbp"};
  o.subscribers = 18;  // on two threads
  const Result r = run_load(o, go_on);
  EXPECT_EQ(r.sent, 2'001U);
  EXPECT_EQ(r.expected, 2'001U * 18);
  EXPECT_EQ(r.received, 2'001U * 18);
  EXPECT_EQ(r.fewest, 2'001U);
  EXPECT_TRUE(r.clean());
  EXPECT_EQ(r.latency.total(), r.received);
  EXPECT_EQ(r.lateness.total(), 2'001U);
  EXPECT_EQ(r.received_bytes, r.received * 100);
}

TEST(LoadRun, FloodsWithSeveralFramesAndAPartOfTheTopics) {
  Options o = direct(0, 3'000);
  o.topics = {"eur", "usd"};
  o.subscriptions = {"us"};
  o.frames = 3;
  const Result r = run_load(o, go_on);
  EXPECT_EQ(r.sent, 3'000U);
  EXPECT_EQ(r.received, 1'500U);
  EXPECT_TRUE(r.clean());
  EXPECT_EQ(r.lateness.total(), 0U);
}

TEST(LoadRun, WhatDoesNotArriveIsLost) {
  Options o = direct(0, 50'000);
  o.hwm = 1;
  o.drop = true;
  o.size = 10'000;
  o.settle = std::chrono::milliseconds(300);
  const Result r = run_load(o, go_on);
  EXPECT_EQ(r.sent, 50'000U);
  EXPECT_EQ(r.received + r.lost, 50'000U);
  EXPECT_EQ(r.disorder, 0U);
}

TEST(LoadRun, NobodyOnTheOtherSideIsSaid) {
  Options o = direct(1'000, 10);
  o.wait = std::chrono::milliseconds(50);
  Options publisher = o;
  publisher.subscribe.clear();
  EXPECT_THROW(static_cast<void>(run_load(publisher, go_on)), NobodyThere);
  Options subscriber = o;
  subscriber.publish.clear();
  EXPECT_THROW(static_cast<void>(run_load(subscriber, go_on)), NobodyThere);
}

TEST(LoadRun, CanBeEndedEarlyAndStillReports) {
  Options o = direct(1'000, 1'000'000);
  const Result r = run_load(o, [](const Progress& p) { return p.received < 20; });
  EXPECT_TRUE(r.interrupted);
  EXPECT_GE(r.sent, 20U);
  EXPECT_LT(r.sent, 1'000'000U);
  EXPECT_TRUE(r.clean());
}

TEST(LoadRun, WhatIsOnItsWayWhenAFloodEndsEarlyIsNotLost) {
  Options o = direct(0, 100'000'000);
  o.size = 1'000;
  const Result r = run_load(o, [](const Progress& p) { return p.received < 1'000; });
  EXPECT_TRUE(r.interrupted);
  EXPECT_EQ(r.received, r.sent);
  EXPECT_TRUE(r.clean());
}

TEST(LoadRun, ReportsInThreeForms) {
  const Options o = direct(10'000, 100);
  const Result r = run_load(o, go_on);
  EXPECT_NE(report_text(o, r).find("lost          0, out of order 0"), std::string::npos);
  const auto json = nlohmann::json::parse(report_json(o, r));
  EXPECT_EQ(json.at("received_messages"), 100);
  EXPECT_EQ(json.at("lost_messages"), 0);
  EXPECT_GT(json.at("latency_us").at("p99").get<double>(), 0);
  const std::string csv = report_csv(o, r);
  const auto line_end = csv.find('\n');
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
  EXPECT_EQ(std::count(csv.begin(), csv.begin() + static_cast<long>(line_end), ','),
            std::count(csv.begin() + static_cast<long>(line_end), csv.end(), ','));
  EXPECT_NE(csv.find(",latency_p999_us,"), std::string::npos);
}

}  // namespace
}  // namespace sluice::app::load
