// SPDX-License-Identifier: Apache-2.0
#include "sink/native/tcp_address.hpp"

#include <sluice/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using sluice::EndpointError;
using sluice::sink::resolve_tcp;
using sluice::sink::tcp_text;

std::string text(const std::string& endpoint) {
  return tcp_text(resolve_tcp(endpoint).storage);
}

TEST(TcpAddress, FormsOfAHost) {
  EXPECT_EQ(text("tcp://127.0.0.1:5556"), "tcp://127.0.0.1:5556");
  EXPECT_EQ(text("tcp://*:5556"), "tcp://0.0.0.0:5556");
  EXPECT_EQ(text("tcp://localhost:5556"), "tcp://127.0.0.1:5556");
  EXPECT_EQ(text("tcp://lo:5556"), "tcp://127.0.0.1:5556");
  EXPECT_EQ(text("tcp://[::1]:5556"), "tcp://[::1]:5556");
  EXPECT_EQ(text("tcp://[::]:5556"), "tcp://[::]:5556");
  EXPECT_EQ(text("tcp://::1:5556"), "tcp://[::1]:5556");
}

TEST(TcpAddress, FormsOfAPort) {
  EXPECT_EQ(text("tcp://127.0.0.1:*"), "tcp://127.0.0.1:0");
  EXPECT_EQ(text("tcp://127.0.0.1:0"), "tcp://127.0.0.1:0");
  EXPECT_EQ(text("tcp://127.0.0.1:65535"), "tcp://127.0.0.1:65535");
}

TEST(TcpAddress, RefusalsNameWhatIsWrong) {
  const auto refusal = [](const std::string& endpoint) {
    try {
      static_cast<void>(resolve_tcp(endpoint));
    } catch (const EndpointError& error) {
      return std::string{error.what()};
    }
    return std::string{};
  };
  EXPECT_NE(refusal("tcp://127.0.0.1").find("port is missing"), std::string::npos);
  for (const std::string port : {"65536", "x", "80x", "-1", ""}) {
    EXPECT_NE(refusal("tcp://127.0.0.1:" + port).find("\"" + port + "\" is not a port"),
              std::string::npos);
  }
  for (const std::string host : {"some.host.invalid", "nosuchif", "1.2.3", "fe80::1%nosuchif"}) {
    const std::string what = refusal("tcp://" + host + ":80");
    EXPECT_NE(what.find(host), std::string::npos);
    EXPECT_NE(what.find("network interface"), std::string::npos);
  }
}

}  // namespace
