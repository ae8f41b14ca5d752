// SPDX-License-Identifier: Apache-2.0
// EndpointSet and Monitor on real sockets.
#include "core/endpoint/endpoint_set.hpp"

#include "support/deadline.hpp"
#include "support/ports.hpp"
#include "support/scratch.hpp"

#include <sluice/error.hpp>

#include <gtest/gtest.h>
#include <zmq.hpp>

namespace sluice::core {
namespace {

class EndpointSetTest : public testing::Test {
 protected:
  bool wait_for(const std::function<bool()>& condition) {
    const auto end = now() + std::chrono::nanoseconds{test::patience()}.count();
    while (!condition()) {
      if (waiter.wait(Waiter::Scope::everything, end) == Waiter::Outcome::timed_out) return false;
    }
    return true;
  }

  zmq::context_t context;
  Waiter waiter;
  ZmqSocket socket{context.handle(), ZMQ_XPUB};
  EndpointSet set{context.handle(), socket.raw(), waiter};
};

TEST_F(EndpointSetTest, reports_the_bound_port_and_frees_it) {
  set.bind("tcp://127.0.0.1:*", {});
  const auto endpoint = set.entries().at(0).actual;
  EXPECT_EQ(endpoint.find('*'), std::string::npos);
  EXPECT_EQ(set.state(set.entries()[0]), EndpointSet::State::listening);
  set.unbind_all();
  EXPECT_TRUE(wait_for([&] { return set.free(); }));
  zmq::socket_t other{context, zmq::socket_type::pub};
  EXPECT_NO_THROW(other.bind(endpoint));
}

TEST_F(EndpointSetTest, counts_the_connections_of_each_transport) {
  const test::ScratchDirectory scratch;
  set.bind("tcp://127.0.0.1:*", {});
  set.bind(scratch.ipc("s"), {});
  EXPECT_EQ(set.connections(), 0U);
  {
    zmq::socket_t a{context, zmq::socket_type::sub};
    zmq::socket_t b{context, zmq::socket_type::sub};
    a.connect(set.entries()[0].actual);
    b.connect(set.entries()[1].actual);
    EXPECT_TRUE(wait_for([&] { return set.connections() == 2; }));
  }
  EXPECT_TRUE(wait_for([&] { return set.connections() == 0; }));
}

TEST_F(EndpointSetTest, an_error_names_the_endpoint_and_the_reason) {
  zmq::socket_t squatter{context, zmq::socket_type::pub};
  squatter.bind("tcp://127.0.0.1:*");
  const auto taken = squatter.get(zmq::sockopt::last_endpoint);
  try {
    set.bind(taken, {});
    FAIL();
  } catch (const EndpointError& e) {
    EXPECT_EQ(e.endpoint(), taken);
    EXPECT_EQ(e.error(), EADDRINUSE);
  }
  try {
    set.bind("tcp://nosuchif:5555", {});
    FAIL();
  } catch (const EndpointError& e) {
    EXPECT_NE(std::string{e.what()}.find("nosuchif"), std::string::npos);
    EXPECT_NE(std::string{e.what()}.find("interface name"), std::string::npos);
  }
}

TEST_F(EndpointSetTest, inproc_is_waiting_until_somebody_has_bound_it) {
  EXPECT_EQ(set.connect("inproc://nobody"), EndpointSet::State::waiting);
  zmq::socket_t peer{context, zmq::socket_type::xsub};
  peer.bind("inproc://somebody");
  EXPECT_EQ(set.connect("inproc://somebody"), EndpointSet::State::connected);
  EXPECT_EQ(set.connect("inproc://somebody"), EndpointSet::State::connected);
  EXPECT_EQ(set.entries().size(), 2U);
  EXPECT_TRUE(set.disconnect("inproc://somebody"));
  EXPECT_FALSE(set.disconnect("inproc://somebody"));
  EXPECT_TRUE(set.disconnect("inproc://nobody"));
  EXPECT_EQ(set.connect("inproc://nobody"), EndpointSet::State::waiting);  // reused, not doubled
}

TEST_F(EndpointSetTest, a_tcp_connect_shows_when_the_other_side_comes_and_goes) {
  const auto endpoint = test::free_tcp();
  EXPECT_EQ(set.connect(endpoint), EndpointSet::State::waiting);
  {
    zmq::socket_t peer{context, zmq::socket_type::xsub};
    peer.set(zmq::sockopt::linger, 0);
    peer.bind(endpoint);
    EXPECT_TRUE(
        wait_for([&] { return set.state(set.entries()[0]) == EndpointSet::State::connected; }));
  }
  EXPECT_TRUE(wait_for([&] { return set.state(set.entries()[0]) == EndpointSet::State::waiting; }));
}

}  // namespace
}  // namespace sluice::core
