// SPDX-License-Identifier: Apache-2.0
// Field reports SUB.
#include "field_support.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace sluice::test {
namespace {

using namespace std::chrono_literals;

class FieldSubscriptions : public FieldReport {};
SLUICE_FIELD_REPORTS_OVER_BOTH_ENGINES(FieldSubscriptions);

TEST_P(FieldSubscriptions, S_02_what_follows_a_subscription_that_the_source_has_seen_arrives) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  for (int run = 0; run < scaled(100); ++run) {
    const std::string topic = "run" + std::to_string(run) + ".";
    Subscriber subscriber{context, sink_endpoint(route), topic};
    while (true) {  // the last run's topic is given back meanwhile
      const auto frame = source.subscription();
      ASSERT_TRUE(frame);
      if (*frame == "\1" + topic) break;
    }
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(source.send(topic + std::to_string(i)));
    for (int i = 0; i < 100; ++i) ASSERT_EQ(subscriber.receive(), topic + std::to_string(i));
  }
}

TEST_P(FieldSubscriptions, S_05_a_topic_travels_up_once_however_many_want_it) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  std::vector<std::unique_ptr<Subscriber>> subscribers;
  for (int i = 0; i < 3; ++i) {
    subscribers.push_back(std::make_unique<Subscriber>(context, sink_endpoint(route), "x"));
    // Behind it on the same link: once this is seen, the other has been.
    subscribers.back()->socket().set(zmq::sockopt::subscribe, "own" + std::to_string(i));
  }
  std::multiset<std::string> seen;
  for (int i = 0; i < 4; ++i) seen.insert(source.subscription().value_or("nothing"));
  EXPECT_EQ(seen, (std::multiset<std::string>{"\1x", "\1own0", "\1own1", "\1own2"}));
  EXPECT_FALSE(source.has_subscription());
}

TEST_P(FieldSubscriptions, S_06_quick_successive_subscriptions_keep_their_peers) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  constexpr int k_subscribers = 50;
  std::vector<std::unique_ptr<Subscriber>> subscribers;
  for (int i = 0; i < k_subscribers; ++i) {
    subscribers.push_back(std::make_unique<Subscriber>(context, sink_endpoint(route), "end"));
    subscribers.back()->socket().set(zmq::sockopt::subscribe, "t" + std::to_string(100 + i));
  }
  std::set<std::string> seen;
  while (seen.size() < k_subscribers + 1) {
    const auto frame = source.subscription();
    ASSERT_TRUE(frame);
    seen.insert(*frame);
  }
  for (int i = 0; i < k_subscribers; ++i) ASSERT_TRUE(source.send("t" + std::to_string(100 + i)));
  ASSERT_TRUE(source.send("end"));
  for (int i = 0; i < k_subscribers; ++i) {
    EXPECT_EQ(subscribers[static_cast<std::size_t>(i)]->receive(), "t" + std::to_string(100 + i));
    EXPECT_EQ(subscribers[static_cast<std::size_t>(i)]->receive(), "end");
  }
}

TEST_P(FieldSubscriptions, S_07_nothing_comes_after_an_unsubscribe_has_arrived) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route), "x"};
  subscriber.socket().set(zmq::sockopt::subscribe, "y");
  ASSERT_TRUE(source.subscription());
  ASSERT_TRUE(source.subscription());
  ASSERT_TRUE(source.send("x1"));
  ASSERT_EQ(subscriber.receive(), "x1");
  subscriber.socket().set(zmq::sockopt::unsubscribe, "x");
  ASSERT_EQ(source.subscription(), std::string("\0x", 2));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(source.send("x2"));
    ASSERT_TRUE(source.send("y" + std::to_string(i)));
  }
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(subscriber.receive(), "y" + std::to_string(i));
  ASSERT_TRUE(eventually([&] { return route.statistics().backend.sent_messages == 1001; }))
      << "what nobody wants does not even enter";
}

TEST_P(FieldSubscriptions, S_08_a_topic_is_given_back_with_its_last_holder) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  Subscriber twice{context, sink_endpoint(route), "t"};
  twice.socket().set(zmq::sockopt::subscribe, "t");
  ASSERT_EQ(source.subscription(), "\1t");
  {
    Subscriber other{context, sink_endpoint(route), "t"};
    other.socket().set(zmq::sockopt::subscribe, "other");
    ASSERT_EQ(source.subscription(), "\1other");
    twice.socket().set(zmq::sockopt::unsubscribe, "t");
    ASSERT_TRUE(source.send("t1"));
    EXPECT_EQ(twice.receive(), "t1");
    EXPECT_EQ(other.receive(), "t1");
  }
  ASSERT_EQ(source.subscription(), std::string("\0other", 6));
  ASSERT_TRUE(source.send("t2"));
  EXPECT_EQ(twice.receive(), "t2");
  twice.socket().set(zmq::sockopt::unsubscribe, "t");
  ASSERT_EQ(source.subscription(), std::string("\0t", 2));
  twice.socket().set(zmq::sockopt::subscribe, "end");
  ASSERT_EQ(source.subscription(), "\1end") << "exactly one unsubscribe";
}

TEST_P(FieldSubscriptions, S_08_a_holder_that_dies_gives_back_its_topics_through_two_proxies) {
  zmq::context_t context;
  Route first{context, one_to_one()};
  first.start();
  auto options = one_to_one();
  options.name = "second";
  options.sources[0].bind.clear();
  options.sources[0].connect = {sink_endpoint(first)};
  Route second{context, options};
  second.start();
  Source source{context};
  {
    Subscriber one{context, sink_endpoint(second), "t"};
    Subscriber two{context, sink_endpoint(second), "t"};
    two.socket().set(zmq::sockopt::subscribe, "u");
    std::set<std::string> seen{source.subscription().value_or(""),
                               source.subscription().value_or("")};
    EXPECT_EQ(seen, (std::set<std::string>{"\1t", "\1u"}));
    ASSERT_TRUE(source.send("t1"));
    EXPECT_EQ(one.receive(), "t1");
    EXPECT_EQ(two.receive(), "t1");
  }
  std::multiset<std::string> seen{source.subscription().value_or(""),
                                  source.subscription().value_or("")};
  EXPECT_EQ(seen, (std::multiset<std::string>{{"\0t", 2}, {"\0u", 2}}));
  EXPECT_FALSE(source.has_subscription());
}

TEST_P(FieldSubscriptions, S_11_topics_match_by_prefix) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route), "A"};
  ASSERT_TRUE(source.subscription());
  for (const char* text : {"B", "A", "BA", "AB", ""}) ASSERT_TRUE(source.send(text));
  ASSERT_TRUE(source.send("A end"));
  EXPECT_EQ(subscriber.receive(), "A");
  EXPECT_EQ(subscriber.receive(), "AB");
  EXPECT_EQ(subscriber.receive(), "A end");
}

TEST_P(FieldSubscriptions, S_13_user_messages_of_subscribers_are_never_subscriptions) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  zmq::socket_t client{context, zmq::socket_type::xsub};
  client.set(zmq::sockopt::linger, 0);
  client.connect(sink_endpoint(route));
  client.send(zmq::buffer(std::string{"\1first"}), zmq::send_flags::none);
  ASSERT_EQ(source.subscription(), "\1first");
  client.send(zmq::buffer(std::string{"\2"}), zmq::send_flags::sndmore);
  client.send(zmq::buffer(std::string{"\1x"}), zmq::send_flags::none);
  client.send(zmq::buffer(std::string{"\1end"}), zmq::send_flags::none);
  EXPECT_EQ(source.subscription(), "\1end");
  EXPECT_GE(route.statistics().upstream_dropped_messages, 1U);
}

TEST_P(FieldSubscriptions, S_16_all_sources_are_merged_each_complete_and_in_order) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(eventually([&] { return route.status().sinks[0].subscriptions == 1; }));
  constexpr int k_sources = 32;
  const int messages = scaled(1000);
  std::vector<std::unique_ptr<Source>> sources;
  for (int i = 0; i < k_sources; ++i) {
    sources.push_back(std::make_unique<Source>(context));
    ASSERT_EQ(sources.back()->subscription(), "\1");
  }
  for (int n = 0; n < messages; ++n) {
    for (int i = 0; i < k_sources; ++i) {
      ASSERT_TRUE(
          sources[static_cast<std::size_t>(i)]->send(std::to_string(i) + " " + std::to_string(n)));
    }
  }
  std::vector<int> next(k_sources, 0);
  for (int n = 0; n < messages * k_sources; ++n) {
    const auto text = subscriber.receive();
    ASSERT_TRUE(text);
    const auto blank = text->find(' ');
    int& expected = next.at(static_cast<std::size_t>(std::stoi(text->substr(0, blank))));
    ASSERT_EQ(std::stoi(text->substr(blank + 1)), expected);
    ++expected;
  }
}

// The C call's and stock's limit: 20,000 topics, a data mark of 100, a source that comes late.
TEST_P(FieldSubscriptions, S_01_the_whole_set_reaches_a_late_source_whatever_the_marks) {
  zmq::context_t context;
  auto options = one_to_one();
  options.sources[0].recv_hwm = 100;
  options.sinks[0].send_hwm = 100;
  Route route{context, options};
  route.start();
  zmq::socket_t subscriber{context, zmq::socket_type::sub};
  subscriber.set(zmq::sockopt::linger, 0);
  subscriber.set(zmq::sockopt::sndhwm, 0);  // else its own libzmq loses subscriptions
  const int topics = scaled(20'000);
  for (int i = 0; i < topics; ++i) subscriber.set(zmq::sockopt::subscribe, std::to_string(i));
  subscriber.connect(sink_endpoint(route));
  ASSERT_TRUE(eventually([&] {
    return route.status().sinks[0].subscriptions == static_cast<std::uint64_t>(topics);
  })) << route.status().sinks[0].subscriptions;
  Source late{context, "inproc://in", false, 100};
  std::set<std::string> seen;
  while (seen.size() < static_cast<std::size_t>(topics)) {
    const auto frame = late.subscription();
    ASSERT_TRUE(frame) << seen.size() << " of " << topics;
    ASSERT_TRUE(seen.insert(*frame).second) << "twice: " << *frame;
  }
}

}  // namespace
}  // namespace sluice::test
