// SPDX-License-Identifier: Apache-2.0
#include "core/endpoint/waiting_names.hpp"

#include "core/endpoint/inproc_probe.hpp"
#include "route_peers.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

namespace sluice::test {
namespace {

using namespace std::chrono_literals;

std::size_t descriptors() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {}));
}

RouteOptions waiting_for(std::vector<std::string> names) {
  auto options = one_to_one(OnFull::drop, Engine::native);
  options.sources[0].bind.clear();
  options.sources[0].connect = std::move(names);
  return options;
}

// Twice as many as libzmq has sockets, and two would be lost in each.
TEST(WaitingNames, AThousandStopsOfAWaitingRouteLeaveOneSocket) {
  zmq::context_t context;
  const auto cycle = [&context] {
    Route route{context, waiting_for({"inproc://nobody", "inproc://nobody-else"})};
    route.start();
    EXPECT_EQ(route.status().sources.at(0).state, "waiting");
    EXPECT_EQ(route.stop(patience()), StopResult::stopped);
  };
  cycle();
  const std::size_t before = descriptors();
  for (int i = 0; i < 1000; ++i) {
    cycle();
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_LE(descriptors(), before);

  // The one that is left still finds its source.
  Route route{context, waiting_for({"inproc://nobody"})};
  route.start();
  Source source{context, "inproc://nobody", true};
  Subscriber subscriber{context, sink_endpoint(route), "a"};
  ASSERT_EQ(source.subscription(), std::string("\1a"));
  ASSERT_TRUE(source.send(std::string("a1")));
  EXPECT_EQ(subscriber.receive(), "a1");
  EXPECT_EQ(route.status().sources.at(0).state, "connected");
  route.stop(patience());
}

TEST(WaitingNames, TheSameRouteMayStopAndStartAsOften) {
  zmq::context_t context;
  Route route{context, waiting_for({"inproc://nobody"})};
  for (int i = 0; i < 600; ++i) {
    route.start();
    ASSERT_EQ(route.stop(patience()), StopResult::stopped);
  }
}

TEST(WaitingNames, DetachedNamesAreReused) {
  zmq::context_t context;
  Route route{context, waiting_for({})};
  route.start();
  static_cast<void>(route.attach("inproc://late"));
  static_cast<void>(route.detach("inproc://late"));
  const std::size_t before = descriptors();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(route.attach("inproc://late"), AttachResult::waiting);
    EXPECT_EQ(route.detach("inproc://late"), DetachResult::detached);
  }
  EXPECT_LE(descriptors(), before);
  Source source{context, "inproc://late", true};
  EXPECT_EQ(route.attach("inproc://late"), AttachResult::connected);
  Subscriber subscriber{context, sink_endpoint(route), "a"};
  ASSERT_EQ(source.subscription(), std::string("\1a"));
  ASSERT_TRUE(source.send(std::string("a1")));
  EXPECT_EQ(subscriber.receive(), "a1");
}

TEST(WaitingNames, AnOwnerThatCameAndWentMeanwhileIsNotTakenForOne) {
  zmq::context_t context;
  {
    Route route{context, waiting_for({"inproc://shy"})};
    route.start();
  }
  { const Source source{context, "inproc://shy", true}; }
  Route route{context, waiting_for({"inproc://shy"})};
  route.start();
  // libzmq closes sockets behind our back.
  EXPECT_TRUE(eventually([&] { return route.status().sources.at(0).state == "waiting"; }));
  Source source{context, "inproc://shy", true};
  EXPECT_TRUE(eventually([&] { return route.status().sources.at(0).state == "connected"; }));
  route.stop(patience());
}

TEST(WaitingNames, TheContextEndsWhateverWaits) {
  for (int i = 0; i < 20; ++i) {
    zmq::context_t context;
    for (int n = 0; n < 3; ++n) {
      Route route{context, waiting_for({"inproc://x" + std::to_string(n)})};
      route.start();
    }
    context.shutdown();
    context.close();
  }
}

TEST(WaitingNames, OfAnotherContextNothingIsTaken) {
  zmq::context_t context;
  zmq::context_t other;
  core::ZmqSocket socket{context.handle(), ZMQ_PUSH};
  core::connect_inproc(socket.raw(), "inproc://n");
  core::keep_waiting(context.handle(), "inproc://n", std::move(socket));
  EXPECT_FALSE(core::take_waiting(other.handle(), "inproc://n"));
  EXPECT_TRUE(core::take_waiting(context.handle(), "inproc://n"));
  EXPECT_FALSE(core::take_waiting(context.handle(), "inproc://n"));
}

}  // namespace
}  // namespace sluice::test
