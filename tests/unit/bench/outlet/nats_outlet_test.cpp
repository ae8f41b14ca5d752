// SPDX-License-Identifier: Apache-2.0
#include "../nats_server.hpp"
#include "outlet/outlet.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace sluice::bench {
namespace {

std::string published(const std::string& subject, const Header& header, std::size_t size) {
  std::string payload(size, 'x');
  write_header(reinterpret_cast<std::byte*>(payload.data()), header);
  return "PUB " + subject + ' ' + std::to_string(size) + "\r\n" + payload + "\r\n";
}

TEST(NatsOutlet, ConnectsAndKeepsMessagesForALargeWrite) {
  NatsServer server;
  const auto outlet = make_nats_outlet(server.endpoint());
  server.accept_one();
  EXPECT_TRUE(server.hear("\n").starts_with("CONNECT {\"verbose\":false,"));
  const std::string filler(100, 'x');
  const Header probe{0, 0, 3, k_probe};
  const Header data{7, 11, 3, k_data};
  EXPECT_EQ(outlet->send(probe, filler), Outlet::Result::sent);
  EXPECT_EQ(outlet->send(data, filler), Outlet::Result::sent);
  EXPECT_EQ(outlet->flush(), Outlet::Result::sent);
  const auto first = published("prob", probe, filler.size());
  EXPECT_EQ(server.hear(first), first);
  const auto second = published("data", data, filler.size());
  EXPECT_EQ(server.hear(second), second);
}

TEST(NatsOutlet, SaysWhenItIsFullAndLosesNothing) {
  NatsServer server;
  const auto outlet = make_nats_outlet(server.endpoint());
  server.accept_one();
  server.hear("\n");
  const std::string filler(60'000, 'x');
  std::uint64_t sent = 0;
  while (outlet->send({sent, 0, 0, k_data}, filler) == Outlet::Result::sent) ++sent;
  auto left = Outlet::Result::full;
  for (std::uint64_t i = 0; i < sent; ++i) {
    if (left == Outlet::Result::full) left = outlet->flush();
    ASSERT_NE(left, Outlet::Result::failed);
    const auto one = published("data", {i, 0, 0, k_data}, filler.size());
    ASSERT_EQ(server.hear(one.size()), one) << i;
  }
  EXPECT_EQ(left, Outlet::Result::sent);
}

TEST(NatsOutlet, ThrowsWhereNobodyListens) {
  EXPECT_THROW(make_nats_outlet("tcp://127.0.0.1:1"), std::runtime_error);
  EXPECT_THROW(make_nats_outlet("ipc:///nowhere"), std::runtime_error);
}

}  // namespace
}  // namespace sluice::bench
