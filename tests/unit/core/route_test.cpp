// SPDX-License-Identifier: Apache-2.0
#include "route_peers.hpp"
#include "support/ports.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>

namespace sluice::test {
namespace {

using namespace std::chrono_literals;

// Everything that a route promises holds with both engines.
class RouteTest : public testing::TestWithParam<Engine> {
 protected:
  static RouteOptions one_to_one(OnFull policy = OnFull::block) {
    return test::one_to_one(policy, GetParam());
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, RouteTest, testing::Values(Engine::zmq, Engine::native),
                         [](const auto& engine) { return to_string(engine.param); });

TEST_P(RouteTest, forwards_in_order_and_counts_as_stock_does) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route), "a"};
  ASSERT_EQ(source.subscription(), std::string("\1a"));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(source.send("a" + std::to_string(100 + i) + "......"));
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(subscriber.receive(), "a" + std::to_string(100 + i) + "......");
  }
  ASSERT_TRUE(eventually([&] { return route.statistics().backend.sent_messages == 100; }));
  const auto statistics = route.statistics();
  EXPECT_EQ(statistics.frontend.received_messages, 100U);
  EXPECT_EQ(statistics.frontend.received_bytes, 1000U);
  EXPECT_EQ(statistics.backend.sent_bytes, 1000U);
  EXPECT_EQ(statistics.backend.received_messages, 1U);
  EXPECT_EQ(statistics.backend.received_bytes, 2U);
  EXPECT_EQ(statistics.frontend.sent_messages, 1U);
  EXPECT_EQ(statistics.frontend.sent_bytes, 2U);
  EXPECT_EQ(route.stop(5s), StopResult::stopped);
  EXPECT_EQ(route.reason(), "terminated");
  EXPECT_EQ(route.state(), RouteState::stopped);
}

TEST_P(RouteTest, keeps_multipart_messages_whole) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(source.subscription());
  ASSERT_TRUE(source.send(std::vector<std::string>{"one"}));
  ASSERT_TRUE(source.send({"a", "", std::string(100'000, 'x')}));
  ASSERT_TRUE(source.send(std::vector<std::string>(1000, "f")));
  EXPECT_EQ(subscriber.receive(), "one");
  EXPECT_EQ(subscriber.receive(), "a||" + std::string(100'000, 'x'));
  EXPECT_EQ(subscriber.receive()->size(), 1999U);
}

TEST_P(RouteTest, pause_holds_and_resume_lets_go_in_order) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(source.subscription());
  route.pause();
  EXPECT_EQ(route.state(), RouteState::paused);
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(source.send(std::to_string(i)));
  ASSERT_TRUE(route.ping(1s));
  EXPECT_EQ(route.statistics().backend.sent_messages, 0U);
  route.resume();
  for (int i = 0; i < 50; ++i) ASSERT_EQ(subscriber.receive(), std::to_string(i));
}

TEST_P(RouteTest, subscriptions_travel_while_paused) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  route.pause();
  Subscriber subscriber{context, sink_endpoint(route), "b"};
  ASSERT_EQ(source.subscription(), std::string("\1b"));
  ASSERT_TRUE(source.send("b1"));
  route.resume();
  EXPECT_EQ(subscriber.receive(), "b1");
}

TEST_P(RouteTest, a_late_source_learns_all_subscriptions) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Subscriber a{context, sink_endpoint(route), "a"};
  Subscriber b{context, sink_endpoint(route), "b"};
  ASSERT_TRUE(eventually([&] { return route.status().sinks[0].subscriptions == 2; }));
  Source late{context};
  std::string seen = *late.subscription() + *late.subscription();
  EXPECT_TRUE(seen == "\1a\1b" || seen == "\1b\1a");
  Source attached{context, "inproc://late", true};
  EXPECT_EQ(route.attach("inproc://late"), AttachResult::connected);
  EXPECT_EQ(route.attach("inproc://late"), AttachResult::present);
  seen = *attached.subscription() + *attached.subscription();
  EXPECT_TRUE(seen == "\1a\1b" || seen == "\1b\1a");
  ASSERT_TRUE(attached.send("a1"));
  EXPECT_EQ(a.receive(), "a1");
  EXPECT_EQ(route.detach("inproc://late"), DetachResult::detached);
  EXPECT_EQ(route.detach("inproc://late"), DetachResult::unknown);
  EXPECT_EQ(route.attach("inproc://nobody"), AttachResult::waiting);
}

TEST_P(RouteTest, a_source_that_is_closed_and_bound_again_is_heard_again) {
  zmq::context_t context;
  auto options = one_to_one();
  options.sources[0].bind.clear();
  options.sources[0].connect = {"inproc://reborn"};
  Route route{context, options};
  route.start();
  Subscriber subscriber{context, sink_endpoint(route)};
  EXPECT_EQ(route.status().sources[0].state, "waiting");
  for (int life = 0; life < 3; ++life) {
    {
      Source source{context, "inproc://reborn", true};
      ASSERT_TRUE(source.subscription());
      EXPECT_TRUE(eventually([&] { return route.status().sources[0].state == "connected"; }));
      ASSERT_TRUE(source.send(std::to_string(life)));
      ASSERT_EQ(subscriber.receive(), std::to_string(life));
    }
    EXPECT_TRUE(eventually([&] { return route.status().sources[0].state == "waiting"; }));
  }
}

TEST_P(RouteTest, the_same_source_listed_twice_delivers_once) {
  zmq::context_t context;
  auto options = one_to_one();
  options.sources[0].bind.clear();
  options.sources[0].connect = {"inproc://twice", "inproc://twice"};
  options.sources.push_back(options.sources[0]);
  options.sources[1].name = "again";
  Route route{context, options};
  route.start();
  Source source{context, "inproc://twice", true};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(source.subscription());
  ASSERT_TRUE(source.send("once"));
  ASSERT_TRUE(source.send("end"));
  EXPECT_EQ(subscriber.receive(), "once");
  EXPECT_EQ(subscriber.receive(), "end");
}

TEST_P(RouteTest, block_loses_nothing_and_sleeps_while_the_subscriber_is_stuck) {
  zmq::context_t context;
  auto options = one_to_one();
  options.sinks[0].send_hwm = 10;
  options.sources[0].recv_hwm = 10;
  Route route{context, options};
  route.start();
  Source source{context, "inproc://in", false, 10};
  Subscriber subscriber{context, sink_endpoint(route), "", 10};
  ASSERT_TRUE(source.subscription());
  const std::string payload(10'000, 'p');
  std::atomic<int> sent{0};
  std::thread publisher{[&] {
    for (int i = 0; i < 5000 && source.send(std::to_string(i) + "|" + payload); ++i) sent = i + 1;
  }};
  // Stuck once the count stands still; the loop must then be asleep.
  int last = -1;
  ASSERT_TRUE(eventually([&] {
    const int before = std::exchange(last, sent.load());
    std::this_thread::yield();
    return before > 0 && before == sent.load() && route.statistics().backend.sent_messages > 0;
  }));
  const auto before = route.statistics();
  EXPECT_FALSE(route.wait_stopped(500ms));
  const auto after = route.statistics();
  if (before.backend.sent_messages == after.backend.sent_messages) {
    EXPECT_LT(after.loop.cpu_ns - before.loop.cpu_ns, 25'000'000U);
  }
  for (int i = 0; i < 5000; ++i) {
    const auto text = subscriber.receive();
    ASSERT_TRUE(text);
    ASSERT_EQ(text->substr(0, text->find('|')), std::to_string(i));
  }
  publisher.join();
  EXPECT_GT(route.statistics().backpressure_ns, 0U);
}

TEST_P(RouteTest, several_sinks_get_each_message_once) {
  zmq::context_t context;
  auto options = one_to_one();
  options.sinks.push_back(options.sinks[0]);
  options.sinks[1].name = "second";
  options.sinks[1].on_full = OnFull::drop;
  Route route{context, options};
  route.start();
  Source source{context};
  Subscriber first{context, sink_endpoint(route, 0), "x"};
  ASSERT_TRUE(source.subscription());
  Subscriber second{context, sink_endpoint(route, 1), "y"};
  ASSERT_TRUE(source.subscription());
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(source.send({"x" + std::to_string(i), "rest"}));
    ASSERT_TRUE(source.send({"y" + std::to_string(i), "rest"}));
  }
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(first.receive(), "x" + std::to_string(i) + "|rest");
    ASSERT_EQ(second.receive(), "y" + std::to_string(i) + "|rest");
  }
  ASSERT_TRUE(eventually([&] { return route.statistics().backend.sent_messages == 2000; }));
}

TEST_P(RouteTest, the_knobs_change_under_flood_without_loss) {
  zmq::context_t context;
  auto options = one_to_one();
  options.sources[0].recv_hwm = 1000;
  Route route{context, options};
  route.start();
  Source source{context, "inproc://in", false, 1000};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(source.subscription());
  constexpr int k_messages = 200'000;
  std::thread publisher{[&] {
    for (int i = 0; i < k_messages; ++i) {
      if (!source.send(std::to_string(i))) return;
    }
  }};
  std::thread tuner{[&] {
    for (std::uint32_t i = 0; i < 40; ++i) {
      Tuning tuning;
      tuning.inbound_poll_rate = i % 3 == 0 ? 1 : 100 * i;
      tuning.max_command_delay = std::chrono::microseconds{500 * (i % 5)};
      tuning.coalesce_delay = std::chrono::microseconds{250 * (i % 4)};
      route.set(tuning);
      EXPECT_EQ(route.tuning(), tuning);
    }
  }};
  for (int i = 0; i < k_messages; ++i) ASSERT_EQ(subscriber.receive(), std::to_string(i));
  publisher.join();
  tuner.join();
}

TEST_P(RouteTest, drain_delivers_what_the_sources_hold) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(source.subscription());
  route.pause();
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(source.send(std::to_string(i)));
  EXPECT_EQ(route.drain(5s), StopResult::stopped);
  EXPECT_EQ(route.reason(), "drained");
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(subscriber.receive(), std::to_string(i));
}

TEST_P(RouteTest, restarts_on_the_same_port_at_once) {
  zmq::context_t context;
  auto options = one_to_one();
  options.sinks[0].bind = {free_tcp()};
  Route route{context, options};
  Subscriber subscriber{context, options.sinks[0].bind[0]};
  for (int i = 0; i < 20; ++i) {
    ASSERT_NO_THROW(route.start());
    Source source{context};  // inproc does not reconnect
    // libzmq renews a subscription when its owner uses the socket after the reconnect.
    ASSERT_TRUE(eventually([&] { return subscriber.silent() && source.has_subscription(); }));
    ASSERT_EQ(route.stop(5s), StopResult::stopped);
  }
}

TEST_P(RouteTest, a_start_that_fails_releases_everything) {
  zmq::context_t context;
  zmq::socket_t squatter{context, zmq::socket_type::pub};
  squatter.bind("tcp://127.0.0.1:*");
  auto options = one_to_one();
  options.sinks.push_back(options.sinks[0]);
  options.sinks[1].name = "second";
  options.sinks[1].bind = {squatter.get(zmq::sockopt::last_endpoint)};
  Route route{context, options};
  try {
    route.start();
    FAIL() << "bound a port that was taken";
  } catch (const EndpointError& e) {
    EXPECT_EQ(e.endpoint(), options.sinks[1].bind[0]);
    EXPECT_EQ(e.error(), EADDRINUSE);
  }
  EXPECT_EQ(route.state(), RouteState::stopped);
  EXPECT_THROW(route.pause(), std::runtime_error);
}

TEST_P(RouteTest, ends_with_a_reason_when_the_context_is_shut_down) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  context.shutdown();
  EXPECT_TRUE(route.wait_stopped(5s));
  EXPECT_EQ(route.reason(), "context terminated");
}

TEST_P(RouteTest, a_context_shut_down_ends_a_blocked_route_and_its_stop_at_once) {
  for (const bool stopping : {false, true}) {
    zmq::context_t context;
    auto options = one_to_one();
    // A native sink needs no context: it still gives its subscribers what it has, within the
    // linger.
    options.linger = GetParam() == Engine::native ? 300ms : 30s;
    options.sinks[0].send_hwm = 10;
    Route route{context, options};
    route.start();
    Subscriber subscriber{context, sink_endpoint(route), "", 10};
    std::optional<Source> source{std::in_place, context};
    ASSERT_TRUE(source->subscription());
    const std::string payload(200'000, 'p');
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(source->send(payload));
    // Full to the brim: else what it has accepted goes out, and a stop is done at once.
    auto changed = std::chrono::steady_clock::now();
    std::uint64_t last = 0;
    ASSERT_TRUE(eventually([&] {
      const auto sent = route.statistics().backend.sent_messages;
      const auto now = std::chrono::steady_clock::now();
      if (sent != std::exchange(last, sent)) changed = now;
      return sent >= 10 && now - changed > 300ms;
    }));
    if (stopping) {
      route.request_stop();
      ASSERT_FALSE(route.wait_stopped(100ms)) << route.reason();
    }
    context.shutdown();
    EXPECT_TRUE(route.wait_stopped(5s));
  }
}

TEST_P(RouteTest, stops_in_bounded_time_from_every_state) {
  zmq::context_t context;
  auto options = one_to_one();
  options.linger = 200ms;
  for (const bool paused : {false, true}) {
    for (const bool connected : {false, true}) {
      Route route{context, options};
      route.start();
      std::optional<Source> source;
      std::optional<Subscriber> subscriber;
      if (connected) {
        source.emplace(context);
        subscriber.emplace(context, sink_endpoint(route));
        ASSERT_TRUE(source->subscription());
        ASSERT_TRUE(source->send("x"));
      }
      if (paused) route.pause();
      EXPECT_EQ(route.stop(5s), StopResult::stopped);
    }
  }
}

TEST_P(RouteTest, stops_within_the_linger_and_asleep_while_a_subscriber_is_stuck) {
  zmq::context_t context;
  auto options = one_to_one();
  options.linger = 300ms;
  options.sinks[0].send_hwm = 10;
  Route route{context, options};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route), "", 10};
  ASSERT_TRUE(source.subscription());
  const std::string payload(100'000, 'p');
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(source.send(payload));
  ASSERT_TRUE(eventually([&] { return route.statistics().backend.sent_messages >= 10; }));
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(route.stop(5s), StopResult::stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - before, 2s);
  EXPECT_LT(route.statistics().loop.cpu_ns, 200'000'000U);
}

TEST_P(RouteTest, what_was_accepted_reaches_a_slow_subscriber_within_the_linger) {
  zmq::context_t context;
  auto options = one_to_one();
  options.linger = 30s;
  Route route{context, options};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route), "", 10};
  ASSERT_TRUE(source.subscription());
  // More than the kernel holds for one connection.
  constexpr int k_messages = 200;
  const std::string payload(200'000, 'p');
  for (int i = 0; i < k_messages; ++i) ASSERT_TRUE(source.send(std::to_string(i) + payload));
  ASSERT_TRUE(eventually([&] { return route.statistics().backend.sent_messages == k_messages; }));
  route.request_stop();
  ASSERT_FALSE(route.wait_stopped(100ms));  // it waits for the subscriber
  for (int i = 0; i < k_messages; ++i) {
    const auto text = subscriber.receive();
    ASSERT_TRUE(text) << i;
    ASSERT_EQ(text->substr(0, text->size() - payload.size()), std::to_string(i));
  }
  EXPECT_TRUE(route.wait_stopped(5s));
}

TEST_P(RouteTest, refuses_bad_options_naming_the_field) {
  zmq::context_t context;
  auto options = one_to_one();
  options.sinks[0].engine = Engine::zmq;
  options.sinks[0].on_full = OnFull::disconnect;
  try {
    Route route{context, options};
    FAIL();
  } catch (const ConfigError& e) {
    EXPECT_EQ(e.field(), "sink.out.on_full");
  }
  options = one_to_one();
  options.tuning.inbound_poll_rate = 0;
  EXPECT_THROW((Route{context, options}), ConfigError);
}

}  // namespace
}  // namespace sluice::test
