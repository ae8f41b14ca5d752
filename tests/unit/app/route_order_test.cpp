// SPDX-License-Identifier: Apache-2.0
#include "app/routes/route_order.hpp"

#include <gmock/gmock.h>

namespace {

using sluice::RouteOptions;
using sluice::app::route_order;
using testing::ElementsAre;
using testing::IsEmpty;

RouteOptions route(const std::string& name, const std::vector<std::string>& binds) {
  RouteOptions options;
  options.name = name;
  for (const std::string& endpoint : binds) {
    sluice::SinkOptions sink;
    sink.name = "s" + std::to_string(options.sinks.size());
    sink.bind = {endpoint};
    options.sinks.push_back(sink);
  }
  return options;
}

const std::string k_a = "tcp://127.0.0.1:6001";
const std::string k_b = "ipc:///run/b.sock";
const std::string k_c = "tcp://*:6003";

TEST(RouteOrder, KeepsTheOrderWhereNothingMoves) {
  const auto got = route_order({route("one", {k_a}), route("two", {k_b})},
                               {route("two", {k_b, k_c}), route("one", {k_a})});
  EXPECT_THAT(got.order, ElementsAre("two", "one"));
  EXPECT_THAT(got.takers, IsEmpty());
  EXPECT_THAT(got.leave_first, IsEmpty());
}

TEST(RouteOrder, WhoGivesComesBeforeWhoTakes) {
  const auto got =
      route_order({route("one", {k_a}), route("two", {k_a + "0", k_b}), route("three", {k_c})},
                  {route("one", {k_a, k_b}), route("two", {k_a + "0", k_c}), route("three", {})});
  EXPECT_THAT(got.order, ElementsAre("three", "two", "one"));
  EXPECT_THAT(got.takers, ElementsAre("two", "one"));
}

TEST(RouteOrder, TheSamePortOfAnotherAddressIsInTheWay) {
  const auto got = route_order({route("one", {"tcp://*:6001"}), route("two", {k_b})},
                               {route("two", {k_b, k_a}), route("one", {k_c})});
  EXPECT_THAT(got.order, ElementsAre("one", "two"));
}

TEST(RouteOrder, ARouteThatIsRenamedLeavesFirst) {
  const auto got = route_order({route("old", {k_a}), route("other", {k_b})},
                               {route("other", {k_b}), route("new", {k_a})});
  EXPECT_THAT(got.leave_first, ElementsAre("old"));
  EXPECT_THAT(got.takers, ElementsAre("new"));
}

TEST(RouteOrder, OneThatGoesWithNothingToGiveIsNotHurried) {
  const auto got =
      route_order({route("old", {k_a}), route("other", {k_b})}, {route("other", {k_b})});
  EXPECT_THAT(got.leave_first, IsEmpty());
}

TEST(RouteOrder, OneWithSourcesInThisProcessIsNotHurried) {
  RouteOptions old = route("old", {k_a});
  old.sources.emplace_back();
  old.sources.back().bind = {"inproc://old.generator.demo"};
  const auto got = route_order({old}, {route("new", {k_a})});
  EXPECT_THAT(got.leave_first, IsEmpty());
}

TEST(RouteOrder, AnExchangeHasNoOrder) {
  const auto got = route_order({route("one", {k_a}), route("two", {k_b})},
                               {route("one", {k_b}), route("two", {k_a})});
  EXPECT_THAT(got.order, ElementsAre("one", "two"));
}

}  // namespace
