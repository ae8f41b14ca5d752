// SPDX-License-Identifier: Apache-2.0
#include "app/admin/observer.hpp"

#include "support/deadline.hpp"
#include "unit/app/two_routes.hpp"

namespace sluice::app {
namespace {

using std::chrono::milliseconds;

using ObserverTest = TwoRoutes;

/// Counts the wakes.
class CountedPings final : public core::Steerable {
 public:
  core::Outcome pause(std::string_view) override { return core::Outcome::done(); }
  core::Outcome resume(std::string_view) override { return core::Outcome::done(); }
  core::Outcome terminate(std::string_view) override { return core::Outcome::done(); }
  core::StatisticsValues statistics() override { return {}; }
  core::Outcome ping() override {
    ++pings;
    return core::Outcome::refused("route one does not answer");
  }
  int pings = 0;
};

TEST_F(ObserverTest, SinksComeFromAnOldCopyCountersNever) {
  Observer observer(*routes, *steering);
  const auto first = observer.routes(milliseconds(0));
  ASSERT_EQ(first.size(), 2U);
  ASSERT_EQ(first[0].sinks.size(), 1U);
  routes->find("one")->pause();
  const auto second = observer.routes(std::chrono::hours(1));
  EXPECT_EQ(second[0].state, RouteState::paused);
  EXPECT_EQ(second[0].sinks[0].name, "onek");
}

TEST_F(ObserverTest, AScrapeOfCopiesDoesNotWakeTheLoop) {
  Observer observer(*routes, *steering);
  static_cast<void>(observer.routes(std::chrono::hours(1)));
  // An idle loop does not wake by itself; wait until the first copy's wake is counted.
  std::uint64_t before = 0;
  ASSERT_TRUE(test::eventually([&] {
    const std::uint64_t wakes = routes->find("one")->statistics().loop.wakes;
    return std::exchange(before, wakes) == wakes && wakes > 0;
  }));
  for (int i = 0; i < 100; ++i) static_cast<void>(observer.routes(std::chrono::hours(1)));
  EXPECT_EQ(routes->find("one")->statistics().loop.wakes, before);
}

TEST_F(ObserverTest, AWakeIsSentAtMostOnceASecond) {
  CountedPings pings;
  Observer observer(*routes, pings);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(observer.health().ok());
  EXPECT_LE(pings.pings, 2);
  EXPECT_EQ(observer.health().text, "route one does not answer");
}

TEST_F(ObserverTest, AStoppedRouteIsNotReadyButStillShown) {
  Observer observer(*routes, *steering);
  EXPECT_EQ(observer.not_ready(true), "");
  static_cast<void>(observer.routes(milliseconds(0)));
  routes->find("two")->stop(test::patience());
  EXPECT_EQ(observer.not_ready(true), "route two is stopped");
  EXPECT_EQ(observer.routes(milliseconds(0))[1].state, RouteState::stopped);
}

}  // namespace
}  // namespace sluice::app
