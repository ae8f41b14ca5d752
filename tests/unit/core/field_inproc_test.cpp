// SPDX-License-Identifier: Apache-2.0
// Field reports INPROC.
#include "field_support.hpp"

#include <memory>

namespace sluice::test {
namespace {

using namespace std::chrono_literals;

class FieldInproc : public FieldReport {
 protected:
  static RouteOptions connecting(const std::string& endpoint) {
    auto options = one_to_one();
    options.sources[0].bind.clear();
    options.sources[0].connect = {endpoint};
    return options;
  }
};
SLUICE_FIELD_REPORTS_OVER_BOTH_ENGINES(FieldInproc);

TEST_P(FieldInproc, J_01_the_order_of_bind_and_connect_means_nothing) {
  for (int run = 0; run < scaled(50); ++run) {
    for (const bool source_first : {false, true}) {
      zmq::context_t context;
      Route route{context, connecting("inproc://src")};
      std::optional<Source> source;
      if (source_first) source.emplace(context, "inproc://src", true);
      route.start();
      if (!source_first) source.emplace(context, "inproc://src", true);
      Subscriber subscriber{context, sink_endpoint(route)};
      ASSERT_EQ(source->subscription(), "\1");
      for (int i = 0; i < 10; ++i) ASSERT_TRUE(source->send(std::to_string(i)));
      for (int i = 0; i < 10; ++i) ASSERT_EQ(subscriber.receive(), std::to_string(i));
    }
  }
}

TEST_P(FieldInproc, J_02_a_name_that_nobody_has_bound_is_shown_and_costs_nothing) {
  zmq::context_t context;
  Route route{context, connecting("inproc://nosuch")};
  route.start();
  const auto status = route.status();
  EXPECT_EQ(status.sources.at(0).endpoint, "inproc://nosuch");
  EXPECT_EQ(status.sources.at(0).state, "waiting");
  const auto before = route.statistics().loop;
  EXPECT_FALSE(route.wait_stopped(300ms));
  EXPECT_LE(route.statistics().loop.wakes, before.wakes + 5);
}

TEST_P(FieldInproc, J_02_another_context_is_another_world) {
  zmq::context_t context;
  zmq::context_t other;
  Route route{context, connecting("inproc://same-name")};
  route.start();
  Source elsewhere{other, "inproc://same-name", true};
  ASSERT_TRUE(route.ping(patience()));
  EXPECT_EQ(route.status().sources.at(0).state, "waiting");
  EXPECT_FALSE(elsewhere.has_subscription());
}

TEST_P(FieldInproc, J_03_what_is_held_is_the_sum_of_both_marks) {
  zmq::context_t context;
  auto options = one_to_one();
  options.sources[0].recv_hwm = 5;
  Route route{context, options};
  route.start();
  Source source{context, "inproc://in", false, 5};
  source.socket().set(zmq::sockopt::xpub_nodrop, false);
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(source.subscription());
  route.pause();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(source.send(std::to_string(i)));
  route.resume();
  for (int i = 0; i < 10; ++i) ASSERT_EQ(subscriber.receive(), std::to_string(i));
  source.has_subscription();  // also lets its socket see that there is room again
  ASSERT_TRUE(source.send("end"));
  EXPECT_EQ(subscriber.receive(), "end");
}

TEST_P(FieldInproc, J_04_detaching_is_idempotent) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  {
    Source source{context, "inproc://gone", true};
    EXPECT_EQ(route.attach("inproc://gone"), AttachResult::connected);
  }
  EXPECT_EQ(route.detach("inproc://gone"), DetachResult::detached);
  EXPECT_EQ(route.detach("inproc://gone"), DetachResult::unknown);
  EXPECT_EQ(route.detach("inproc://never"), DetachResult::unknown);
  EXPECT_EQ(route.attach("inproc://waiting"), AttachResult::waiting);
  EXPECT_EQ(route.detach("inproc://waiting"), DetachResult::detached);
  EXPECT_EQ(route.detach("inproc://waiting"), DetachResult::unknown);
  EXPECT_EQ(route.state(), RouteState::running);
}

TEST_P(FieldInproc, J_05_more_than_a_thousand_sources) {
  raise_descriptor_limit();
  zmq::context_t context;
  context.set(zmq::ctxopt::max_sockets, 4096);
  Route route{context, one_to_one()};
  route.start();
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(eventually([&] { return route.status().sinks[0].subscriptions == 1; }));
  const int count = 1100;
  std::vector<std::unique_ptr<Source>> sources;
  for (int i = 0; i < count; ++i) {
    sources.push_back(std::make_unique<Source>(context));
    ASSERT_EQ(sources.back()->subscription(), "\1");
    ASSERT_TRUE(sources.back()->send(std::to_string(i)));
  }
  std::vector<bool> seen(static_cast<std::size_t>(count), false);
  for (int i = 0; i < count; ++i) {
    const auto text = subscriber.receive();
    ASSERT_TRUE(text) << i;
    seen.at(static_cast<std::size_t>(std::stoi(*text))) = true;
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), count);
}

TEST_P(FieldInproc, J_05_a_context_without_sockets_is_said_at_the_start) {
  zmq::context_t context;
  context.set(zmq::ctxopt::max_sockets, 1);
  const zmq::socket_t the_only_one{context, zmq::socket_type::pub};
  Route route{context, one_to_one()};
  try {
    route.start();
    FAIL() << "no socket is left";
  } catch (const std::exception& e) {
    EXPECT_NE(std::string{e.what()}.find("ZMQ_MAX_SOCKETS"), std::string::npos) << e.what();
  }
  EXPECT_EQ(route.state(), RouteState::stopped);
}

TEST_P(FieldInproc, J_06_attach_and_detach_leak_nothing) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context, "inproc://again", true};
  source.socket().set(zmq::sockopt::rcvtimeo, 0);
  const auto cycle = [&] {
    ASSERT_EQ(route.attach("inproc://again"), AttachResult::connected);
    ASSERT_EQ(route.detach("inproc://again"), DetachResult::detached);
    source.has_subscription();  // lets its socket see that the pipe has gone
    ASSERT_EQ(route.attach("inproc://nobody"), AttachResult::waiting);
    ASSERT_EQ(route.detach("inproc://nobody"), DetachResult::detached);
  };
  // libzmq closes behind its owner's back, and a pipe ends when both sides have seen its end.
  const auto down_to = [&](std::size_t count) {
    return eventually([&] {
      source.has_subscription();
      return descriptors() <= count;
    });
  };
  const auto before = descriptors();
  const int cycles = scaled(2000);
  const auto run = [&] {
    for (int i = 0; i < cycles; ++i) {
      ASSERT_NO_FATAL_FAILURE(cycle());
      if (i % 50 == 0) {  // the closing thread may be slower than this one
        ASSERT_TRUE(down_to(before + 100)) << descriptors() << " " << before;
      }
    }
    ASSERT_TRUE(down_to(before + 10)) << descriptors() << " " << before;
  };
  ASSERT_NO_FATAL_FAILURE(run());
  if (slowness() == 1) {
    EXPECT_TRUE(memory_settles(run)) << "33 bytes a cycle";
  }
}

}  // namespace
}  // namespace sluice::test
