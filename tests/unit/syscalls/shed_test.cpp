// SPDX-License-Identifier: Apache-2.0
#include "child.hpp"
#include "support/deadline.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>
#include <zmq.h>

#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/un.h>

namespace sluice::test {
namespace {

core::Fd connect_raw(const std::string& endpoint) {
  if (endpoint.starts_with("ipc://")) {
    core::Fd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, endpoint.c_str() + 6, sizeof address.sun_path - 1);
    EXPECT_EQ(::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return fd;
  }
  core::Fd fd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port =
      htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return fd;
}

class Shedding : public testing::TestWithParam<const char*> {};

TEST_P(Shedding, AtTheDescriptorLimitOldPeersAreServedAndNewOnesTurnedAway) {
  const ScratchDirectory scratch;
  const std::string kind = GetParam();
  Child listener{{LIMITED_LISTENER, kind == "ipc" ? scratch.ipc("s") : "tcp://127.0.0.1:*"},
                 {k_calm_sanitizers}};
  const auto endpoint = listener.line();
  ASSERT_TRUE(endpoint);

  void* const context = ::zmq_ctx_new();
  void* const old = ::zmq_socket(context, ZMQ_SUB);
  const int patient = static_cast<int>(patience().count());
  ::zmq_setsockopt(old, ZMQ_RCVTIMEO, &patient, sizeof patient);
  ::zmq_setsockopt(old, ZMQ_SUBSCRIBE, "", 0);
  ASSERT_EQ(::zmq_connect(old, endpoint->c_str()), 0);
  ASSERT_EQ(listener.line(), "full");

  constexpr int k_newcomers = 30;
  for (int i = 0; i < k_newcomers; ++i) {
    const core::Fd newcomer = connect_raw(*endpoint);
    ASSERT_TRUE(readable(newcomer.get())) << "neither served nor closed: " << i;
    char byte = 0;
    EXPECT_LE(::recv(newcomer.get(), &byte, 1, 0), 0);
  }

  listener.tell("\n");
  char text[32] = "";
  EXPECT_EQ(::zmq_recv(old, text, sizeof text, 0), 10);
  const auto figures = listener.line();
  ASSERT_TRUE(figures);
  std::istringstream words{*figures};
  int shed = 0;
  int accepts = 0;
  int polls = 0;
  words >> shed >> accepts >> polls;
  EXPECT_EQ(shed, k_newcomers);
  EXPECT_LE(accepts, 2 * k_newcomers + 5);  // it does not spin
  EXPECT_LE(polls, 20 * k_newcomers);
  listener.tell("\n");
  EXPECT_EQ(listener.wait(), 0);
  ::zmq_close(old);
  ::zmq_ctx_term(context);
}

INSTANTIATE_TEST_SUITE_P(Transports, Shedding, testing::Values("ipc", "tcp"),
                         [](const auto& instance) { return std::string{instance.param}; });

}  // namespace
}  // namespace sluice::test
