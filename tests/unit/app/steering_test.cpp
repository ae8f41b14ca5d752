// SPDX-License-Identifier: Apache-2.0
#include "app/sidecar/steering.hpp"

#include "support/deadline.hpp"
#include "unit/app/two_routes.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <optional>

namespace sluice::app {
namespace {

using nlohmann::json;

/// One of the routes with a generator.
class SteeringTest : public TwoRoutes {
 protected:
  SteeringTest() : TwoRoutes("[generator demo]\nroute = one\nrate = 0\n", "engine = zmq\n") {}

  bool all_stopped() {
    return test::eventually([this] { return routes->all_stopped(); });
  }
};

TEST_F(SteeringTest, PausesAllOrOne) {
  EXPECT_TRUE(steering->pause("two").ok());
  EXPECT_EQ(state("one"), RouteState::running);
  EXPECT_EQ(state("two"), RouteState::paused);
  EXPECT_TRUE(steering->pause("").ok());
  EXPECT_EQ(state("one"), RouteState::paused);
  EXPECT_TRUE(steering->resume("").ok());
  EXPECT_EQ(state("two"), RouteState::running);
  const auto unknown = steering->pause("tow");
  EXPECT_FALSE(unknown.ok());
  EXPECT_NE(unknown.text.find("did you mean two"), std::string::npos) << unknown.text;
}

TEST_F(SteeringTest, StatusNamesRoutesAndTheGeneratorAsASource) {
  const json status = json::parse(steering->status().text);
  ASSERT_EQ(status["routes"].size(), 2U);
  std::vector<std::string> names;
  for (const auto& source : status["routes"][0]["sources"]) names.push_back(source["name"]);
  EXPECT_NE(std::find(names.begin(), names.end(), "demo"), names.end());
  EXPECT_TRUE(steering->ping().ok());
}

TEST_F(SteeringTest, TheGeneratorReachesASubscriberAndIsCounted) {
  zmq::socket_t subscriber(context, zmq::socket_type::sub);
  subscriber.set(zmq::sockopt::linger, 0);
  subscriber.set(zmq::sockopt::rcvtimeo, static_cast<int>(test::patience().count()));
  subscriber.set(zmq::sockopt::subscribe, "");
  subscriber.connect(scratch.ipc("one.out"));
  zmq::message_t message;
  ASSERT_TRUE(subscriber.recv(message));
  EXPECT_EQ(message.size(), 100U);
  // Counters are published at the end of a turn, after the message has left.
  EXPECT_TRUE(test::eventually([&] { return steering->statistics()[0] >= 1U; }));
}

TEST_F(SteeringTest, SetChangesTheRoute) {
  EXPECT_TRUE(steering->set("route.two.inbound_poll_rate", "77").ok());
  EXPECT_EQ(routes->find("two")->tuning().inbound_poll_rate, 77U);
  EXPECT_EQ(routes->find("one")->tuning().inbound_poll_rate, 1000U);
  EXPECT_FALSE(steering->set("inbound_poll_rate", "5").ok()) << "two routes: which?";
}

TEST_F(SteeringTest, AttachAndDetach) {
  const std::string late = scratch.ipc("late");
  EXPECT_TRUE(steering->attach("one", late).ok());
  EXPECT_EQ(steering->attach("one", late).text, "present");
  EXPECT_TRUE(steering->detach("one", late).ok());
  EXPECT_FALSE(steering->detach("one", late).ok());
  EXPECT_FALSE(steering->attach("one", "inproc://x").ok());
  EXPECT_FALSE(steering->attach("nosuch", late).ok());
}

TEST_F(SteeringTest, TerminateOneThenAll) {
  EXPECT_TRUE(steering->terminate("one").ok());
  ASSERT_TRUE(test::eventually([this] { return state("one") == RouteState::stopped; }));
  EXPECT_FALSE(routes->all_stopped());
  EXPECT_FALSE(steering->pause("one").ok());
  EXPECT_TRUE(steering->pause("").ok()) << "the one that lives";
  EXPECT_TRUE(steering->drain("").ok());
  EXPECT_TRUE(all_stopped());
  EXPECT_EQ(routes->failure(), "");
  EXPECT_TRUE(test::readable(routes->stopped_event().fd()));
  EXPECT_TRUE(steering->ping().ok());
}

}  // namespace
}  // namespace sluice::app
