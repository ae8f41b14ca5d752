// SPDX-License-Identifier: Apache-2.0
// The native engine and peers that break every rule: each hurts itself only.
#include "engine_host.hpp"
#include "raw_client.hpp"
#include "support/deadline.hpp"
#include "support/scratch.hpp"
#include "zmq_client.hpp"

#include <sluice/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <fcntl.h>
#include <map>
#include <memory>
#include <netinet/in.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <vector>

namespace {

using namespace sluice;
using namespace sluice::test;
using std::string_literals::operator""s;

SinkOptions options() {
  SinkOptions made;
  made.name = "edge";
  made.bind = {"tcp://127.0.0.1:*"};
  return made;
}

class HostileTest : public testing::Test {
 protected:
  void start(const SinkOptions& settings, std::size_t max_subscriptions = 1'000'000) {
    host = std::make_unique<EngineHost>(settings, max_subscriptions);
    good.connect(host->endpoint());
    good.subscribe("g");
    ASSERT_TRUE(host->subscriptions(1));
  }
  /// The well-behaved subscriber is served as ever.
  void good_is_served() {
    host->publish({"g", "still here"});
    EXPECT_EQ(good.receive(), (Parts{"g", "still here"}));
  }
  [[nodiscard]] bool logged(const std::string& text) {
    return eventually([&] {
      const auto events = host->events();
      return std::any_of(events.begin(), events.end(),
                         [&](const auto& event) { return event.find(text) != std::string::npos; });
    });
  }

  std::unique_ptr<EngineHost> host;
  ZmqClient good;
};

TEST_F(HostileTest, RefusesWhatIsNotZmtp3) {
  start(options());
  const std::vector<std::pair<std::string, std::string>> cases{
      {"GET / HTTP/1.1\r\n\r\n", "no ZMTP signature"},
      {"\x01\0"s, "no ZMTP signature"},
      {wire_greeting(1), "ZMTP version below 3.0"},
      {wire_greeting(3, 1, "CURVE"), "mechanism other than NULL"},
      {wire_greeting(3, 1, "PLAIN"), "mechanism other than NULL"},
      {wire_greeting() + wire_command("HELLO", "x"), "no proper READY"},
      {wire_greeting() + wire_frame(0, "\1"), "no proper READY"},
      {wire_greeting() + wire_ready("PUB"), "socket type"},
      {wire_greeting() + wire_command("ERROR", "\2no"), "the peer sent ERROR"},
      {wire_greeting() + wire_ready("SUB") + wire_frame(0, std::string(70'000, '\1')),
       "size limit"},
      {wire_greeting() + wire_ready("SUB") + "\x02\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF", "size limit"},
      {wire_greeting() + wire_ready("SUB") + "\x05\x01x", "frame flags"},
      {wire_greeting() + wire_ready("SUB") + "\xF0\x01x", "frame flags"},
      {wire_greeting() + wire_ready("SUB") + wire_command("PING", ""), "malformed command"},
  };
  for (const auto& [bytes, reason] : cases) {
    RawClient bad{host->endpoint()};
    bad.send(bytes);
    EXPECT_TRUE(bad.closed()) << reason;
    EXPECT_TRUE(logged(reason)) << reason;
  }
  EXPECT_TRUE(host->peers(1));
  const auto status = host->status();
  EXPECT_EQ(status.subscriptions, 1U);
  const std::map<std::string, std::uint64_t> expected{
      {"bad_signature", 2}, {"old_version", 1},       {"other_mechanism", 2},
      {"bad_handshake", 2}, {"wrong_socket_type", 1}, {"peer_error", 1},
      {"oversize", 2},      {"bad_frame", 2},         {"bad_command", 1}};
  EXPECT_EQ(status.partings, expected);
  good_is_served();
}

TEST_F(HostileTest, ErrorTellsAWrongSocketTypeWhy) {
  start(options());
  RawClient bad{host->endpoint()};
  bad.shake_hands("PUSH");
  const auto error = bad.frame();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->flags, 4);
  EXPECT_EQ(error->body.substr(0, 6), "\5ERROR");
  EXPECT_TRUE(bad.closed());
}

TEST_F(HostileTest, SlowAndHalfHandshakesAreCutInTime) {
  auto settings = options();
  settings.handshake_timeout = std::chrono::milliseconds{200};
  start(settings);
  RawClient silent{host->endpoint()};
  RawClient half{host->endpoint()};
  half.send(wire_greeting().substr(0, 11));
  RawClient no_ready{host->endpoint()};
  no_ready.send(wire_greeting());
  EXPECT_TRUE(silent.closed());
  EXPECT_TRUE(half.closed());
  EXPECT_TRUE(no_ready.closed());
  EXPECT_TRUE(logged("no handshake in time"));
  good_is_served();
}

TEST_F(HostileTest, PingsAreAnsweredWithTheirContext) {
  start(options());
  RawClient peer{host->endpoint()};
  peer.shake_hands();
  peer.send(wire_command("PING", "\0\0context"s));
  auto pong = peer.frame();
  ASSERT_TRUE(pong);
  EXPECT_EQ(pong->flags, 4);
  EXPECT_EQ(pong->body, "\4PONGcontext");
  peer.send(wire_command("PING", "\0\0"s));
  pong = peer.frame();
  ASSERT_TRUE(pong);
  EXPECT_EQ(pong->body, "\4PONG");
  peer.send(wire_command("UNKNOWN", "x") + wire_command("PONG", "") +
            wire_command("PING", "\0\0a"s));
  pong = peer.frame();
  ASSERT_TRUE(pong);
  EXPECT_EQ(pong->body, "\4PONGa");
}

TEST_F(HostileTest, APingsTtlIsKept) {
  start(options());
  RawClient peer{host->endpoint()};
  peer.shake_hands();
  peer.send(wire_command("PING", "\0\2"s));  // 200 ms
  ASSERT_TRUE(peer.frame());
  EXPECT_TRUE(peer.closed());
  EXPECT_TRUE(logged("no sign of life"));
  good_is_served();
}

TEST_F(HostileTest, ASilentPeerIsPingedAndCut) {
  auto settings = options();
  settings.link.heartbeat_interval = std::chrono::milliseconds{50};
  settings.link.heartbeat_timeout = std::chrono::milliseconds{300};
  start(settings);
  RawClient old{host->endpoint()};
  old.shake_hands("SUB", 0);
  RawClient silent{host->endpoint()};
  silent.shake_hands();
  const auto ping = silent.frame();
  ASSERT_TRUE(ping);
  EXPECT_EQ(ping->flags, 4);
  EXPECT_EQ(ping->body, "\4PING\0\0"s);
  EXPECT_TRUE(silent.closed());
  // A 3.0 peer need not know PING: it is neither asked nor cut.
  EXPECT_TRUE(host->peers(2));
  good_is_served();
}

TEST_F(HostileTest, BlockSinksDoNotPing) {
  auto settings = options();
  settings.on_full = OnFull::block;
  settings.link.heartbeat_interval = std::chrono::milliseconds{20};
  settings.link.heartbeat_timeout = std::chrono::milliseconds{60};
  start(settings);
  RawClient silent{host->endpoint()};
  silent.shake_hands();
  EXPECT_FALSE(readable(silent.fd(), std::chrono::milliseconds{300}));
  EXPECT_TRUE(host->peers(2));
}

TEST_F(HostileTest, PeersThatLeaveAreForgottenAtOnce) {
  start(options());
  for (int i = 0; i < 50; ++i) {
    RawClient brief{host->endpoint()};
    brief.shake_hands();
    brief.subscribe("t" + std::to_string(i));
    brief.send(wire_frame(1, "half a message"));
    if (i % 2 == 0) {
      const linger hard{1, 0};
      ::setsockopt(brief.fd(), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    }
  }
  EXPECT_TRUE(host->peers(1));
  EXPECT_TRUE(host->subscriptions(1));
  good_is_served();
}

TEST_F(HostileTest, UnknownCancelsAreHarmless) {
  start(options());
  RawClient peer{host->endpoint()};
  peer.shake_hands();
  std::string storm;
  for (int i = 0; i < 10'000; ++i) storm += wire_frame(0, "\0t"s + std::to_string(i % 100));
  peer.send(storm + wire_frame(0, "\1real") + wire_frame(0, "\0rea"s) + wire_frame(0, "\0g"s));
  EXPECT_TRUE(host->subscriptions(2));
  good_is_served();
  EXPECT_EQ(host->upstream().size(), 2U);
}

TEST_F(HostileTest, AFlipperIsHeldBackNotFed) {
  start(options());
  RawClient peer{host->endpoint()};
  peer.shake_hands();
  std::string storm;
  for (int i = 0; i < 100'000; ++i) storm += wire_frame(0, "\1f") + wire_frame(0, "\0f"s);
  peer.send(storm + wire_frame(0, "\1end"));
  EXPECT_TRUE(host->subscriptions(2));
  EXPECT_TRUE(eventually([&] { return host->upstream().size() == 200'002; }));
  good_is_served();
}

TEST_F(HostileTest, SubscriptionsAreLimited) {
  start(options(), 100);
  RawClient peer{host->endpoint()};
  peer.shake_hands();
  for (int i = 0; i < 500; ++i) peer.subscribe("t" + std::to_string(i));
  peer.send(wire_command("PING", "\0\0"s));
  ASSERT_TRUE(peer.frame());
  EXPECT_EQ(host->status().subscriptions, 100U);
  EXPECT_TRUE(logged("max_subscriptions"));
  const auto events = host->events();
  EXPECT_EQ(std::count_if(events.begin(), events.end(),
                          [](const auto& e) { return e.find("max_subscr") != std::string::npos; }),
            1);
  good_is_served();
}

TEST_F(HostileTest, LongTopicsMatchLocally) {
  start(options());
  RawClient peer{host->endpoint()};
  peer.shake_hands();
  const std::string topic(60'000, 'L');
  peer.subscribe(topic);
  ASSERT_TRUE(host->subscriptions(2));
  host->publish({topic + "!"});
  const auto frame = peer.frame();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->body.size(), 60'001U);
}

TEST_F(HostileTest, PeersAreLimited) {
  auto settings = options();
  settings.max_peers = 3;
  start(settings);
  RawClient second{host->endpoint()};
  second.shake_hands();
  RawClient third{host->endpoint()};
  third.shake_hands();
  RawClient fourth{host->endpoint()};
  EXPECT_TRUE(fourth.closed());
  EXPECT_TRUE(logged("max_peers"));
  second.disconnect();
  ASSERT_TRUE(host->peers(2));
  RawClient fifth{host->endpoint()};
  fifth.shake_hands();
  good_is_served();
}

TEST_F(HostileTest, TwoThousandJunkConnections) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 8192);
  ::setrlimit(RLIMIT_NOFILE, &limit);
  start(options());
  std::vector<std::unique_ptr<RawClient>> junk;
  for (int i = 0; i < 2'000; ++i) {
    junk.push_back(std::make_unique<RawClient>(host->endpoint()));
    switch (i % 5) {
      case 0:
        break;  // says nothing
      case 1:
        junk.back()->send(wire_greeting().substr(0, 10));
        break;
      case 2:
        junk.back()->send(std::string(200, static_cast<char>(i)));
        break;
      case 3:
        junk.back()->send(wire_greeting() + wire_ready("SUB") + wire_frame(0, "\1x"));
        break;
      default:
        junk.back()->send(wire_greeting());
        junk.back()->disconnect();
    }
    if (i % 100 == 0) good_is_served();
  }
  // The 400 that speak the protocol are subscribers like any.
  EXPECT_TRUE(host->peers(401));
  good_is_served();
  junk.clear();
  EXPECT_TRUE(host->peers(1));
  EXPECT_TRUE(host->subscriptions(1));
  good_is_served();
}

TEST_F(HostileTest, AtTheDescriptorLimitConnectionsAreShed) {
  start(options());
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  std::vector<core::Fd> eaten;
  // Sockets for the clients first: they are connected when nothing is left.
  std::vector<core::Fd> clients;
  rlimit low = before;
  low.rlim_cur = 256;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  for (int i = 0; i < 8; ++i)
    clients.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  for (;;) {
    core::Fd fd{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
    if (!fd) break;
    eaten.push_back(std::move(fd));
  }
  const std::string endpoint = host->endpoint();
  sockaddr_in in{};
  in.sin_family = AF_INET;
  in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  in.sin_port =
      htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
  for (const auto& client : clients) {
    ASSERT_EQ(::connect(client.get(), reinterpret_cast<const sockaddr*>(&in), sizeof in), 0);
    ASSERT_TRUE(readable(client.get()));
    char byte = 0;
    EXPECT_LE(::recv(client.get(), &byte, 1, 0), 0);  // shed
  }
  EXPECT_TRUE(logged("no file descriptor is left"));
  good_is_served();
  const auto cpu = host->cpu();
  EXPECT_FALSE(eventually([] { return false; }, std::chrono::milliseconds{300}));
  EXPECT_LT(host->cpu() - cpu, std::chrono::milliseconds{100});  // no spinning
  eaten.clear();
  ::setrlimit(RLIMIT_NOFILE, &before);
  RawClient after{endpoint};
  after.shake_hands();
  EXPECT_TRUE(host->peers(2));
  const auto events = host->events();
  EXPECT_EQ(std::count_if(events.begin(), events.end(),
                          [](const auto& e) { return e.find("descriptor") != std::string::npos; }),
            1);
}

TEST_F(HostileTest, UserMessagesOverTheLimitCutTheirSender) {
  start(options());
  RawClient peer{host->endpoint()};
  peer.shake_hands();
  std::string endless;
  for (int i = 0; i < 1'100; ++i) endless += wire_frame(1, "part");
  peer.send(endless);
  EXPECT_TRUE(peer.closed());
  EXPECT_TRUE(logged("upstream message over its limits"));
  good_is_served();
}

}  // namespace
