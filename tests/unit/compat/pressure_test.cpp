// SPDX-License-Identifier: Apache-2.0
// Peers that do not read: nothing is lost, nothing spins, nothing sleeps through the room that
// comes.
#include "rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

namespace sluice::test {
namespace {

using testing::ElementsAre;
using testing::Optional;
using zmq::socket_type;

std::chrono::nanoseconds cpu_of(pthread_t thread) {
  clockid_t clock{};
  timespec t{};
  if (pthread_getcpuclockid(thread, &clock) != 0 || clock_gettime(clock, &t) != 0) return {};
  return std::chrono::seconds{t.tv_sec} + std::chrono::nanoseconds{t.tv_nsec};
}

/// Sends numbers until there has been no room for a moment; returns how many.
int fill(zmq::socket_t& socket, std::size_t frames = 1) {
  socket.set(zmq::sockopt::sndtimeo, 100);
  Frames message(frames, "x");
  int sent = 0;
  for (;; ++sent) {
    message.back() = std::to_string(sent);
    if (!send(socket, message)) return sent;
  }
}

void expect_all(zmq::socket_t& socket, int sent, std::size_t frames = 1) {
  for (int i = 0; i < sent; ++i) {
    const auto message = receive(socket);
    ASSERT_TRUE(message) << "message " << i;
    ASSERT_EQ(message->size(), frames);
    ASSERT_EQ(message->back(), std::to_string(i));
  }
}

struct Pressed {
  Pressed(socket_type front, socket_type back, socket_type left, socket_type right, int mark)
      : proxy(context, front, back) {
    for (auto* socket : {&proxy.front(), &proxy.back()}) {
      socket->set(zmq::sockopt::sndhwm, mark);
      socket->set(zmq::sockopt::rcvhwm, mark);
    }
    a = make_socket(context, left);
    b = make_socket(context, right);
    for (auto* socket : {&a, &b}) {
      socket->set(zmq::sockopt::sndhwm, mark);
      socket->set(zmq::sockopt::rcvhwm, mark);
    }
    a.connect("inproc://front");
    b.connect("inproc://back");
    proxy.start();
  }

  void expect_no_cpu() {
    const auto before = cpu_of(proxy.thread());
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(proxy.ask("PING"));
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    EXPECT_LT(cpu_of(proxy.thread()) - before, std::chrono::milliseconds{60});
  }
  void ends_well() {
    const auto result = proxy.terminate();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->rc, 0);
  }

  zmq::context_t context;
  Proxy proxy;
  zmq::socket_t a;
  zmq::socket_t b;
};

TEST(Pressure, DownstreamFull) {
  Pressed p{socket_type::dealer, socket_type::dealer, socket_type::dealer, socket_type::dealer, 10};
  const int sent = fill(p.a, 3);
  p.expect_no_cpu();
  expect_all(p.b, sent, 3);
  p.ends_well();
}

TEST(Pressure, UpstreamFull) {
  Pressed p{socket_type::dealer, socket_type::dealer, socket_type::dealer, socket_type::dealer, 10};
  const int sent = fill(p.b, 3);
  p.expect_no_cpu();
  expect_all(p.a, sent, 3);
  p.ends_well();
}

TEST(Pressure, BothFull) {
  Pressed p{socket_type::pair, socket_type::pair, socket_type::pair, socket_type::pair, 10};
  const int down = fill(p.a);
  const int up = fill(p.b);
  p.expect_no_cpu();
  expect_all(p.a, up);
  expect_all(p.b, down);
  p.ends_well();
}

// One direction is stuck, the other goes on.
TEST(Pressure, OneStuckTheOtherFlows) {
  for (const bool down_stuck : {true, false}) {
    Pressed p{socket_type::pair, socket_type::pair, socket_type::pair, socket_type::pair, 10};
    zmq::socket_t& stuck = down_stuck ? p.a : p.b;
    zmq::socket_t& other = down_stuck ? p.b : p.a;
    const int sent = fill(stuck);
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(send(other, {std::to_string(i)}));
      ASSERT_THAT(receive(stuck), Optional(ElementsAre(std::to_string(i)))) << down_stuck;
    }
    expect_all(other, sent);
    p.ends_well();
  }
}

// A ROUTER says that it has room when it has not.
TEST(Pressure, MandatoryRouterFull) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::router, socket_type::dealer};
  proxy.front().set(zmq::sockopt::router_mandatory, 1);
  proxy.front().set(zmq::sockopt::sndhwm, 10);
  auto client = make_socket(context, socket_type::dealer);
  client.set(zmq::sockopt::routing_id, "c");
  client.set(zmq::sockopt::rcvhwm, 10);
  client.connect("inproc://front");
  auto server = connected(context, socket_type::dealer, "inproc://back");
  proxy.start();
  ASSERT_TRUE(send(client, {"hello"}));
  ASSERT_TRUE(receive(server));
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(send(server, {"c", std::to_string(i)}));
  ASSERT_TRUE(send(server, {"nobody", "x"}));  // EHOSTUNREACH: dropped
  for (int i = 200; i < 210; ++i) ASSERT_TRUE(send(server, {"c", std::to_string(i)}));
  ASSERT_TRUE(proxy.ask("PING"));
  for (int i = 0; i < 210; ++i) {
    ASSERT_THAT(receive(client), Optional(ElementsAre(std::to_string(i))));
  }
  EXPECT_TRUE(proxy.terminate());
}

TEST(Pressure, NoPeerDownstreamThenOne) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::pull, socket_type::push};
  auto source = connected(context, socket_type::push, "inproc://front");
  proxy.start();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(send(source, {std::to_string(i)}));
  ASSERT_TRUE(proxy.ask("PING"));
  auto target = connected(context, socket_type::pull, "inproc://back");
  expect_all(target, 100);
  EXPECT_TRUE(proxy.terminate());
}

// Slow readers at both ends and small marks: every message crosses a wait for room.
TEST(Pressure, EveryMessageWaitsBothWays) {
  Pressed p{socket_type::pair, socket_type::pair, socket_type::pair, socket_type::pair, 1};
  constexpr int k_count = 3000;
  const auto send_all = [](zmq::socket_t& socket, int& sent) {
    if (sent < k_count &&
        socket.send(zmq::buffer(std::to_string(sent)), zmq::send_flags::dontwait)) {
      ++sent;
    }
  };
  int sent_a = 0;
  int sent_b = 0;
  int got_a = 0;
  int got_b = 0;
  const Deadline deadline{patience() * 3};
  while (got_a < k_count || got_b < k_count) {
    ASSERT_FALSE(deadline.passed()) << got_a << " " << got_b;
    send_all(p.a, sent_a);
    send_all(p.b, sent_b);
    while (auto m = receive_now(p.a)) {
      ASSERT_EQ(m->front(), std::to_string(got_a));
      ++got_a;
    }
    while (auto m = receive_now(p.b)) {
      ASSERT_EQ(m->front(), std::to_string(got_b));
      ++got_b;
    }
  }
  p.ends_well();
}

}  // namespace
}  // namespace sluice::test
