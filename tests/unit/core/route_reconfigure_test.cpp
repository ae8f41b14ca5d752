// SPDX-License-Identifier: Apache-2.0
#include "route_peers.hpp"
#include "support/ports.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace sluice::test {
namespace {

using namespace std::chrono_literals;

class ReconfigureTest : public testing::TestWithParam<Engine> {
 protected:
  ReconfigureTest() {
    options = one_to_one(OnFull::block, GetParam());
    options.sinks[0].bind = {free_tcp()};
  }
  Route& start() {
    route.emplace(context, options);
    route->start();
    return *route;
  }
  SinkOptions another_sink(const std::string& name) const {
    SinkOptions sink = options.sinks[0];
    sink.name = name;
    sink.bind = {free_tcp()};
    return sink;
  }
  static SourceOptions another_source(const std::string& name, const std::string& endpoint) {
    SourceOptions source;
    source.name = name;
    source.bind = {endpoint};
    return source;
  }
  std::vector<std::string> sinks() {
    std::vector<std::string> names;
    for (const auto& sink : route->status().sinks) names.push_back(sink.name);
    return names;
  }

  // libzmq sends the topics of a subscriber that has connected again only while somebody uses it.
  static bool subscribes_again(Subscriber& subscriber, Source& source) {
    return eventually([&] {
      static_cast<void>(subscriber.silent());
      return source.has_subscription();
    });
  }

  zmq::context_t context;
  RouteOptions options;
  std::optional<Route> route;
};

INSTANTIATE_TEST_SUITE_P(Engines, ReconfigureTest, testing::Values(Engine::zmq, Engine::native),
                         [](const auto& engine) { return to_string(engine.param); });

TEST_P(ReconfigureTest, PartsComeAndGoWhileTheOthersFlow) {
  start();
  Source source{context};
  Subscriber subscriber{context, options.sinks[0].bind[0]};
  ASSERT_TRUE(source.subscription());
  std::atomic<bool> done{false};
  std::thread flood([&] {
    for (int i = 0; !done.load(); ++i) source.send(std::to_string(i));
    source.send(std::string("end"));
  });
  std::thread change([&] {
    for (int i = 0; i < 10; ++i) {
      RouteOptions next = options;
      const SinkOptions extra = another_sink("extra");
      next.sinks.push_back(extra);
      next.sources.push_back(another_source("more", "inproc://more" + std::to_string(i)));
      next.tap.emplace().bind = {"inproc://tap" + std::to_string(i)};
      route->reconfigure(next);
      const Subscriber late{context, extra.bind[0]};
      route->reconfigure(options);
    }
    done.store(true);
  });
  for (int i = 0;; ++i) {
    const auto text = subscriber.receive();
    ASSERT_TRUE(text);
    if (*text == "end") break;
    ASSERT_EQ(*text, std::to_string(i)) << "nothing lost, nothing twice";
  }
  change.join();
  flood.join();
  EXPECT_EQ(sinks(), std::vector<std::string>{"out"});
  EXPECT_EQ(route->status().sources.size(), 1U);
}

TEST_P(ReconfigureTest, ANewSourceAndANewSinkServe) {
  start();
  RouteOptions next = options;
  const SinkOptions extra = another_sink("extra");
  next.sinks.insert(next.sinks.begin(), extra);
  next.sources.push_back(another_source("more", "inproc://more"));
  route->reconfigure(next);
  EXPECT_EQ(sinks(), (std::vector<std::string>{"extra", "out"})) << "in the order of the options";
  Source more{context, "inproc://more"};
  Subscriber late{context, extra.bind[0], "m"};
  ASSERT_EQ(more.subscription(), std::string("\1m"));
  ASSERT_TRUE(more.send(std::string("m1")));
  EXPECT_EQ(late.receive(), "m1");

  route->reconfigure(options);  // the sink has gone: so does what only it had
  Subscriber stays{context, options.sinks[0].bind[0], "x"};
  Source in{context};
  ASSERT_EQ(in.subscription(), std::string("\1x"));
}

TEST_P(ReconfigureTest, TopicsOfASinkThatGoesLeaveTheSources) {
  const SinkOptions extra = another_sink("extra");
  options.sinks.push_back(extra);
  start();
  Source source{context};
  Subscriber one{context, extra.bind[0], "only"};
  ASSERT_EQ(source.subscription(), std::string("\1only"));
  Subscriber both{context, options.sinks[0].bind[0], "both"};
  ASSERT_EQ(source.subscription(), std::string("\1both"));
  RouteOptions next = options;
  next.sinks.pop_back();
  route->reconfigure(next);
  ASSERT_EQ(source.subscription(), std::string("\0only", 5));
  ASSERT_TRUE(source.send(std::string("both?")));
  EXPECT_EQ(both.receive(), "both?");
}

TEST_P(ReconfigureTest, WhatChangesIsMadeAgainOnTheSamePort) {
  start();
  Source source{context};
  Subscriber subscriber{context, options.sinks[0].bind[0], "a"};
  ASSERT_EQ(source.subscription(), std::string("\1a"));
  for (int hwm = 10; hwm < 15; ++hwm) {
    options.sinks[0].send_hwm = hwm;
    options.sources[0].recv_hwm = hwm;
    route->reconfigure(options);
    EXPECT_EQ(route->status().sinks.at(0).endpoints.at(0), options.sinks[0].bind[0]);
  }
  // The subscriber comes back by itself, and so does its topic; the source connects once more.
  Source again{context};
  ASSERT_TRUE(subscribes_again(subscriber, again));
  ASSERT_TRUE(again.send(std::string("after")));
  EXPECT_EQ(subscriber.receive(), "after");
}

TEST_P(ReconfigureTest, AcceptedMessagesOfASinkThatGoesStillArrive) {
  options.sinks.push_back(another_sink("extra"));
  options.linger = 5s;
  start();
  Source source{context};
  Subscriber leaves{context, options.sinks[1].bind[0], "a"};
  ASSERT_TRUE(source.subscription());
  const std::string big(100'000, 'x');
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(source.send("a" + std::to_string(i) + big));
  ASSERT_TRUE(eventually([&] { return route->statistics().backend.sent_messages == 100; }));
  RouteOptions next = options;
  next.sinks.pop_back();
  route->reconfigure(next);
  for (int i = 0; i < 100; ++i) {
    const auto text = leaves.receive();
    ASSERT_TRUE(text) << i;
    ASSERT_EQ(*text, "a" + std::to_string(i) + big);
  }
}

TEST_P(ReconfigureTest, EndpointsComeAndGoWithoutTheOthersOfTheSinkNoticing) {
  options.sources[0].bind.push_back("inproc://second");
  start();
  Source source{context};
  Subscriber stays{context, options.sinks[0].bind[0]};
  ASSERT_TRUE(source.subscription());
  std::atomic<bool> done{false};
  std::thread flood([&] {
    for (int i = 0; !done.load(); ++i) source.send(std::to_string(i));
    source.send(std::string("end"));
  });
  std::thread change([&] {
    for (int i = 0; i < 20; ++i) {
      RouteOptions next = options;
      next.sinks[0].bind.insert(next.sinks[0].bind.begin(), free_tcp());
      next.sources[0].bind = {"inproc://in", "inproc://third" + std::to_string(i)};
      next.sources[0].connect = {"inproc://nobody"};
      route->reconfigure(next);
      EXPECT_EQ(route->status().sinks.at(0).endpoints.size(), 2U);
      Subscriber late{context, next.sinks[0].bind[0]};
      EXPECT_TRUE(late.receive());
      route->reconfigure(options);
      EXPECT_EQ(route->status().sinks.at(0).endpoints, options.sinks[0].bind);
    }
    done.store(true);
  });
  for (int i = 0;; ++i) {
    const auto text = stays.receive();
    ASSERT_TRUE(text);
    if (*text == "end") break;
    ASSERT_EQ(*text, std::to_string(i)) << "never cut";
  }
  change.join();
  flood.join();
}

TEST_P(ReconfigureTest, WhoCameInAtAnEndpointThatGoesIsCut) {
  const std::string first = options.sinks[0].bind[0];
  options.sinks[0].bind.push_back(free_tcp());
  start();
  Source source{context};
  Subscriber stays{context, first, "a"};
  ASSERT_TRUE(source.subscription());
  Subscriber cut{context, options.sinks[0].bind[1], "b"};
  ASSERT_TRUE(source.subscription());
  options.sinks[0].bind.pop_back();
  route->reconfigure(options);
  ASSERT_EQ(source.subscription(), std::string("\0b", 2)) << "its topic goes with it";
  EXPECT_TRUE(eventually([&] { return route->status().sinks.at(0).peers == 1; }));
  ASSERT_TRUE(source.send(std::string("a1")));
  EXPECT_EQ(stays.receive(), "a1");
}

TEST_P(ReconfigureTest, EndpointsThatWereOpenedGoWhenTheRestFails) {
  start();
  zmq::socket_t taken(context, zmq::socket_type::pub);
  taken.bind("tcp://127.0.0.1:*");
  RouteOptions next = options;
  const std::string more = free_tcp();
  next.sinks[0].bind.push_back(more);
  next.sinks[0].bind.push_back(taken.get(zmq::sockopt::last_endpoint));
  next.sources[0].bind.push_back("inproc://more");
  EXPECT_THROW(route->reconfigure(next), EndpointError);
  EXPECT_EQ(route->status().sinks.at(0).endpoints, options.sinks[0].bind);
  EXPECT_EQ(route->status().sources.size(), 1U);
  ASSERT_TRUE(eventually([&] {
    try {
      zmq::socket_t free(context, zmq::socket_type::pub);
      free.bind(more);
      return true;
    } catch (const zmq::error_t&) {
      return false;
    }
  }));
}

TEST_P(ReconfigureTest, APortMayChangeHands) {
  options.sinks.push_back(another_sink("second"));
  start();
  RouteOptions next = options;
  std::swap(next.sinks[0].bind, next.sinks[1].bind);
  route->reconfigure(next);
  EXPECT_EQ(route->status().sinks.at(0).endpoints, options.sinks[1].bind);
  EXPECT_EQ(route->status().sinks.at(1).endpoints, options.sinks[0].bind);
  next.sinks[1].bind.push_back(next.sinks[0].bind[0]);
  next.sinks[0].bind = {free_tcp()};
  route->reconfigure(next);
  EXPECT_EQ(route->status().sinks.at(1).endpoints, next.sinks[1].bind);
}

TEST_P(ReconfigureTest, AllOrNothing) {
  start();
  Source source{context};
  Subscriber subscriber{context, options.sinks[0].bind[0], "a"};
  ASSERT_EQ(source.subscription(), std::string("\1a"));
  zmq::socket_t taken(context, zmq::socket_type::pub);
  taken.bind("tcp://127.0.0.1:*");
  const std::string port = taken.get(zmq::sockopt::last_endpoint);

  RouteOptions next = options;
  next.sinks.push_back(another_sink("good"));
  next.sinks.push_back(another_sink("bad"));
  next.sinks.back().bind = {port};
  next.sources.push_back(another_source("more", "inproc://more"));
  next.tuning.inbound_poll_rate = 5;
  EXPECT_THROW(route->reconfigure(next), EndpointError);
  EXPECT_EQ(sinks(), std::vector<std::string>{"out"});
  EXPECT_EQ(route->tuning().inbound_poll_rate, options.tuning.inbound_poll_rate);
  ASSERT_TRUE(source.send(std::string("a1")));
  EXPECT_EQ(subscriber.receive(), "a1") << "the connection was never cut";
  const std::string good = next.sinks[1].bind[0];
  taken.unbind(port);
  next.sinks.pop_back();
  ASSERT_TRUE(eventually([&] {
    try {
      route->reconfigure(next);
      return true;
    } catch (const EndpointError&) {
      return false;
    }
  })) << "nothing was left behind on "
      << good;
}

TEST_P(ReconfigureTest, WhatHadToMakeWayComesBack) {
  start();
  Subscriber subscriber{context, options.sinks[0].bind[0], "a"};
  zmq::socket_t taken(context, zmq::socket_type::pub);
  taken.bind("tcp://127.0.0.1:*");
  RouteOptions next = options;
  next.sinks[0].send_hwm = 77;  // made again: its port has to be given up first
  next.sinks[0].bind.push_back(taken.get(zmq::sockopt::last_endpoint));
  EXPECT_THROW(route->reconfigure(next), EndpointError);
  EXPECT_EQ(sinks(), std::vector<std::string>{"out"});
  Source source{context};
  ASSERT_TRUE(subscribes_again(subscriber, source));
  ASSERT_TRUE(source.send(std::string("a1")));
  EXPECT_EQ(subscriber.receive(), "a1");
}

TEST_P(ReconfigureTest, WhilePausedNothingPassesAndNothingIsForgotten) {
  start();
  Source source{context};
  Subscriber subscriber{context, options.sinks[0].bind[0], "a"};
  ASSERT_TRUE(source.subscription());
  route->pause();
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(source.send("a" + std::to_string(i)));
  RouteOptions next = options;
  next.sinks.push_back(another_sink("extra"));
  next.sources.push_back(another_source("more", "inproc://more"));
  next.linger = 700ms;
  route->reconfigure(next);
  EXPECT_EQ(route->state(), RouteState::paused);
  EXPECT_EQ(route->statistics().backend.sent_messages, 0U);
  EXPECT_TRUE(subscriber.silent());
  route->resume();
  for (int i = 0; i < 50; ++i) ASSERT_EQ(subscriber.receive(), "a" + std::to_string(i));
}

TEST_P(ReconfigureTest, RefusedWhileItStops) {
  options.linger = 20s;
  start();
  Source source{context};
  Subscriber stuck{context, options.sinks[0].bind[0], "", 1};
  ASSERT_TRUE(source.subscription());
  source.socket().set(zmq::sockopt::sndhwm, 0);
  const std::string big(1'000'000, 'x');
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(source.send(big));
  route->request_drain();
  ASSERT_TRUE(eventually([&] { return route->state() == RouteState::draining; }));
  RouteOptions next = options;
  next.sinks.push_back(another_sink("extra"));
  EXPECT_THROW(route->reconfigure(next), std::runtime_error);
  EXPECT_TRUE(eventually([&] {
    static_cast<void>(stuck.silent());
    return route->state() == RouteState::stopped;
  }));
  EXPECT_THROW(route->reconfigure(next), std::runtime_error);
}

TEST_P(ReconfigureTest, StaticTopicsComeAndGo) {
  options.subscribe = {"old", "stays"};
  start();
  Source source{context};
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(source.subscription());
  options.subscribe = {"stays", "new"};
  route->reconfigure(options);
  EXPECT_EQ(source.subscription(), std::string("\1new"));
  EXPECT_EQ(source.subscription(), std::string("\0old", 4));
  EXPECT_FALSE(source.has_subscription());
}

TEST_P(ReconfigureTest, ABlockedSinkThatGoesLetsTheOthersFlow) {
  options.sinks.push_back(another_sink("stuck"));
  options.sinks[1].send_hwm = 1;
  options.sinks[1].link.sndbuf = 4096;
  options.linger = 100ms;
  start();
  Source source{context};
  Subscriber reads{context, options.sinks[0].bind[0], "a"};
  ASSERT_TRUE(source.subscription());
  Subscriber stuck{context, options.sinks[1].bind[0], "ab", 1};
  ASSERT_TRUE(source.subscription());
  const std::string big(1'000'000, 'x');
  constexpr int k_messages = 30;
  for (int i = 0; i < k_messages; ++i) ASSERT_TRUE(source.send("ab" + std::to_string(i) + big));
  ASSERT_TRUE(eventually([&] { return route->statistics().frontend.received_messages > 2; }));
  RouteOptions next = options;
  next.sinks.pop_back();
  route->reconfigure(next);
  for (int i = 0; i < k_messages; ++i) ASSERT_EQ(reads.receive(), "ab" + std::to_string(i) + big);
}

TEST(Reconfigure, OnFullChangesInPlace) {
  zmq::context_t context;
  RouteOptions options = one_to_one(OnFull::drop, Engine::native);
  Route route{context, options};
  route.start();
  const std::string before = sink_endpoint(route);
  options.sinks[0].on_full = OnFull::disconnect;
  route.reconfigure(options);
  EXPECT_EQ(route.status().sinks.at(0).on_full, OnFull::disconnect);
  EXPECT_EQ(sink_endpoint(route), before) << "the same socket";
}

TEST(Reconfigure, RefusesWhatCannotWork) {
  zmq::context_t context;
  RouteOptions options = one_to_one();
  Route route{context, options};
  route.start();
  RouteOptions next = options;
  next.name = "other";
  EXPECT_THROW(route.reconfigure(next), ConfigError);
  next = options;
  next.sinks.clear();
  EXPECT_THROW(route.reconfigure(next), ConfigError);
}

}  // namespace
}  // namespace sluice::test
