// SPDX-License-Identifier: Apache-2.0
#include "core/endpoint/endpoint_name.hpp"

#include <gtest/gtest.h>

namespace sluice::core {
namespace {

TEST(EndpointName, tells_the_transport) {
  EXPECT_EQ(transport_of("tcp://*:1"), Transport::tcp);
  EXPECT_EQ(transport_of("TCP://*:1"), Transport::tcp);
  EXPECT_EQ(transport_of("ipc:///x"), Transport::ipc);
  EXPECT_EQ(transport_of("inproc://x"), Transport::inproc);
  EXPECT_EQ(transport_of("udp://x"), Transport::other);
  EXPECT_EQ(transport_of("tcp:/x"), Transport::other);
  EXPECT_EQ(transport_of(""), Transport::other);
}

TEST(EndpointName, normalises_for_comparison_without_resolving) {
  EXPECT_EQ(normalised("TCP://LocalHost:5/"), "tcp://localhost:5");
  EXPECT_EQ(normalised("ipc:////run//x.sock"), "ipc:///run/x.sock");
  EXPECT_EQ(normalised("ipc://@a//b"), "ipc://@a//b");
  EXPECT_EQ(normalised("inproc://Case"), "inproc://Case");
}

TEST(EndpointName, knows_which_addresses_need_ipv6) {
  EXPECT_TRUE(needs_ipv6("tcp://[::1]:5"));
  EXPECT_FALSE(needs_ipv6("tcp://127.0.0.1:5"));
  EXPECT_FALSE(needs_ipv6("ipc:///tmp/[x]"));
}

}  // namespace
}  // namespace sluice::core
