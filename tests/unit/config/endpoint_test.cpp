// SPDX-License-Identifier: Apache-2.0
#include "config/endpoint.hpp"

#include "config/value.hpp"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

std::string echo(std::string_view text, EndpointUse use) {
  try {
    return parse_endpoint(text, use, "/run/t").text();
  } catch (const BadValue& bad) {
    return bad.what();
  }
}
std::string bound(std::string_view text) {
  return echo(text, EndpointUse::bind);
}
std::string connected(std::string_view text) {
  return echo(text, EndpointUse::connect);
}

TEST(Endpoint, WhatIsFineComesBack) {
  for (const char* text : {"tcp://*:5556", "tcp://127.0.0.1:*", "tcp://[::1]:5556", "tcp://lo:5556",
                           "ipc:///run/x.sock", "ipc://@name", "tcp://eth0.5:1"}) {
    EXPECT_EQ(bound(text), text);
  }
  for (const char* text : {"tcp://some.host.invalid:5556", "tcp://localhost:1",
                           "tcp://127.0.0.1:0;10.0.0.1:65535", "tcp://[fe80::1%eth0]:9"}) {
    EXPECT_EQ(connected(text), text);
  }
  EXPECT_EQ(bound("tcp://127.0.0.1:0"), "tcp://127.0.0.1:*");
}

TEST(Endpoint, I_01_PathsUpTo107Bytes) {
  const std::string fits = "ipc:///" + std::string(106, 'x');
  EXPECT_EQ(bound(fits), fits);
  const std::string path = "/" + std::string(107, 'x');
  EXPECT_EQ(bound("ipc://" + path),
            "ipc://" + path + ": the path " + path + " has 108 bytes; an ipc path may have 107");
  EXPECT_EQ(bound("ipc://@" + std::string(106, 'x')), "ipc://@" + std::string(106, 'x'));
  EXPECT_NE(bound("ipc://@" + std::string(107, 'x')).find("107"), std::string::npos);
}

TEST(Endpoint, I_06_RelativePathsBecomeAbsolute) {
  EXPECT_EQ(bound("ipc://x.sock"), "ipc:///run/t/x.sock");
  EXPECT_EQ(connected("ipc://../x.sock"), "ipc:///run/x.sock");
  EXPECT_EQ(bound("ipc://./a//b.sock"), "ipc:///run/t/a/b.sock");
}

TEST(Endpoint, IpcNeedsAPath) {
  EXPECT_EQ(bound("ipc://"), "ipc://: the path is missing; write ipc:///run/name.sock");
  EXPECT_EQ(bound("ipc://@"), "ipc://@: an abstract name is missing behind the @");
  EXPECT_EQ(bound("ipc://*"),
            "ipc://*: a path is needed; nobody would know the one chosen for ipc://*");
  EXPECT_EQ(bound("ipc:///run/"), "ipc:///run/: a file is needed, not a folder");
}

TEST(Endpoint, N_03_ConnectNeedsAHost) {
  EXPECT_EQ(connected("tcp://*:5"),
            "tcp://*:5: a connect needs a host; * is every address of this "
            "machine, for bind only");
  EXPECT_NE(connected("tcp://0.0.0.0:5").find("a connect needs a host"), std::string::npos);
  EXPECT_NE(connected("tcp://[::]:5").find("a connect needs a host"), std::string::npos);
  EXPECT_EQ(connected("tcp://h:*"), "tcp://h:*: a connect needs a port from 1 to 65535");
  EXPECT_EQ(connected("tcp://h:0"), "tcp://h:0: port '0' is not 1 to 65535");
}

TEST(Endpoint, N_04_BindTakesNoHostNames) {
  EXPECT_EQ(
      bound("tcp://localhost:5"),
      "tcp://localhost:5: 'localhost' is a host name; a bind takes *, an IPv4 address, an IPv6 "
      "address in [ ] or an interface's name: write tcp://127.0.0.1:port");
  EXPECT_EQ(
      bound("tcp://some.host.invalid:5"),
      "tcp://some.host.invalid:5: 'some.host.invalid' is a host name; a bind takes *, an IPv4 "
      "address, an IPv6 address in [ ] or an interface's name");
}

TEST(Endpoint, TcpGrammar) {
  EXPECT_EQ(bound("tcp://127.0.0.1"),
            "tcp://127.0.0.1: the port is missing; write tcp://host:port");
  EXPECT_EQ(bound("tcp://[::1]"), "tcp://[::1]: the port is missing; write tcp://host:port");
  EXPECT_EQ(bound("tcp://:5"), "tcp://:5: the host is missing; write tcp://host:port");
  EXPECT_EQ(bound("tcp://1.2.3.4:65536"),
            "tcp://1.2.3.4:65536: port '65536' is not 1 to 65535 or * (the system chooses)");
  EXPECT_EQ(bound("tcp://1.2.3.4:-1"),
            "tcp://1.2.3.4:-1: port '-1' is not 1 to 65535 or * (the system chooses)");
  EXPECT_EQ(bound("tcp://1.2.3.400:5"), "tcp://1.2.3.400:5: '1.2.3.400' is no IPv4 address");
  EXPECT_EQ(bound("tcp://::1:5"),
            "tcp://::1:5: an IPv6 address goes in brackets: tcp://[::1]:port");
  EXPECT_EQ(bound("tcp://[zz]:5"), "tcp://[zz]:5: [zz] is no IPv6 address");
  EXPECT_EQ(bound("tcp://a b:5"), "tcp://a b:5: 'a b' is no host name");
  EXPECT_EQ(bound("tcp://1.1.1.1:2;3.3.3.3:4"),
            "tcp://1.1.1.1:2;3.3.3.3:4: only a connect has a source address before ;");
}

TEST(Endpoint, Transports) {
  EXPECT_EQ(bound("tpc://*:5"),
            "tpc://*:5: transport 'tpc' is not known; there are tcp and ipc; did you mean tcp?");
  EXPECT_EQ(bound("udp://*:5"), "udp://*:5: transport 'udp' is not offered; there are tcp and ipc");
  EXPECT_EQ(bound("/run/x"), "/run/x: the transport is missing; did you mean ipc:///run/x?");
  EXPECT_EQ(bound("tcp:/h:5"),
            "tcp:/h:5: the transport is missing; write tcp://host:port or ipc://path");
  EXPECT_EQ(bound("127.0.0.1:5"),
            "127.0.0.1:5: the transport is missing; write tcp://host:port or ipc://path");
}

TEST(Endpoint, J_02_InprocIsForEmbeddingPrograms) {
  EXPECT_EQ(connected("inproc://x"),
            "inproc://x: nothing outside of this process can reach an inproc name: it is for "
            "programs that embed the library; here write [generator] or [plugin], which attach by "
            "themselves");
}

TEST(Endpoint, Overlaps) {
  const auto both = [](std::string_view a, std::string_view b) {
    return overlap(parse_endpoint(a, EndpointUse::bind, "/"),
                   parse_endpoint(b, EndpointUse::bind, "/"));
  };
  EXPECT_TRUE(both("tcp://*:5", "tcp://127.0.0.1:5"));
  EXPECT_TRUE(both("tcp://0.0.0.0:5", "tcp://*:5"));
  EXPECT_TRUE(both("ipc:///a/../b", "ipc:///b"));
  EXPECT_FALSE(both("tcp://127.0.0.1:5", "tcp://127.0.0.2:5"));
  EXPECT_FALSE(both("tcp://127.0.0.1:5", "tcp://[::1]:5"));
  EXPECT_FALSE(both("tcp://*:*", "tcp://*:*"));
  EXPECT_FALSE(both("ipc://@b", "ipc:///b"));
}

}  // namespace
}  // namespace sluice::config
