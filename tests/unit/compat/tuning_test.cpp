// SPDX-License-Identifier: Apache-2.0
// The knobs govern both directions.
#include "rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace sluice::test {
namespace {

using testing::ElementsAre;
using testing::Optional;
using zmq::socket_type;
using Clock = std::chrono::steady_clock;

void round_trips(const sluice_tuning& tuning, int count) {
  zmq::context_t context;
  Proxy::Options options;
  options.tuning = tuning;
  Proxy proxy{context, socket_type::router, socket_type::dealer, options};
  auto client = connected(context, socket_type::req, "inproc://front");
  auto server = connected(context, socket_type::rep, "inproc://back");
  proxy.start();
  for (int i = 0; i < count; ++i) {
    ASSERT_TRUE(send(client, {std::to_string(i)}));
    ASSERT_THAT(receive(server), Optional(ElementsAre(std::to_string(i))));
    ASSERT_TRUE(send(server, {std::to_string(i)}));
    ASSERT_THAT(receive(client), Optional(ElementsAre(std::to_string(i))));
  }
  EXPECT_TRUE(proxy.terminate());
}

TEST(Tuning, NullMeansTheDefaults) {
  zmq::context_t context;
  auto front = make_socket(context, socket_type::pull);
  auto back = make_socket(context, socket_type::push);
  context.shutdown();
  EXPECT_EQ(sluice_proxy_tuned(front.handle(), back.handle(), nullptr, nullptr, nullptr), -1);
  EXPECT_EQ(errno, ETERM);
}

TEST(Tuning, LookAfterEveryMessage) {
  auto tuning = default_tuning();
  tuning.inbound_poll_rate = 1;
  tuning.max_command_delay_us = 0;
  round_trips(tuning, 200);
}

TEST(Tuning, Limits) {
  round_trips({sizeof(sluice_tuning), 1'000'000'000, 0, 10'000'000, 0, 8192}, 200);
}

TEST(Tuning, RoundTripsAreNotKeptWaiting) {
  const auto start = Clock::now();
  auto tuning = default_tuning();
  tuning.max_command_delay_us = 10'000'000;  // replies are data: they do not wait for a look
  round_trips(tuning, 100);
  EXPECT_LT(Clock::now() - start, patience());
}

TEST(Tuning, HoldsInBothDirections) {
  auto tuning = default_tuning();
  tuning.coalesce_delay_us = 2'000;
  round_trips(tuning, 100);

  zmq::context_t context;
  Proxy::Options options;
  options.tuning = tuning;
  Proxy proxy{context, socket_type::pair, socket_type::pair, options};
  auto a = connected(context, socket_type::pair, "inproc://front");
  auto b = connected(context, socket_type::pair, "inproc://back");
  proxy.start();
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_TRUE(send(a, {std::to_string(i)}));
    ASSERT_TRUE(send(b, {std::to_string(i)}));
    if (i % 500 != 499) continue;
    for (int n = i - 499; n <= i; ++n) {
      ASSERT_THAT(receive(a), Optional(ElementsAre(std::to_string(n))));
      ASSERT_THAT(receive(b), Optional(ElementsAre(std::to_string(n))));
    }
  }
  const auto status = proxy.ask("STATUS");
  ASSERT_TRUE(status);
  EXPECT_THAT(status->front(), testing::Not(testing::HasSubstr("\"holds\":0,")));
  EXPECT_TRUE(proxy.terminate());
}

}  // namespace
}  // namespace sluice::test
