// SPDX-License-Identifier: Apache-2.0
#include "sink/native/zmtp/session.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace {

using namespace sluice::zmtp;
using std::string_literals::operator""s;

/// Writes down what happens.
class Recorder final : public SessionHandler {
 public:
  void on_ready() override { log.emplace_back("ready"); }
  void on_subscribe(Bytes topic) override { log.push_back("+" + std::string{as_text(topic)}); }
  void on_cancel(Bytes topic) override { log.push_back("-" + std::string{as_text(topic)}); }
  void on_message(std::span<const std::string> frames) override {
    std::string line = "message";
    for (const auto& frame : frames) line += "|" + frame;
    log.push_back(line);
  }
  void on_ping(const Ping& ping) override {
    log.push_back("ping " + std::to_string(ping.ttl_tenths) + std::string{as_text(ping.context)});
  }

  std::vector<std::string> log;
};

std::string frame(std::uint8_t flags, const std::string& body) {
  std::array<std::byte, k_long_header> header{};
  const std::size_t size = write_header(header.data(), flags, body.size());
  return std::string{as_text(Bytes{header}.first(size))} + body;
}

std::string command(const std::string& name, const std::string& data) {
  std::string out;
  append_command(out, name, as_bytes(data));
  return out;
}

std::string greeting(std::uint8_t minor = 1) {
  std::string bytes{as_text(make_greeting())};
  bytes[11] = static_cast<char>(minor);
  return bytes;
}

std::string ready(const std::string& type) {
  return command("READY", "\x0BSocket-Type\0\0\0"s + static_cast<char>(type.size()) + type);
}

class SessionTest : public testing::Test {
 protected:
  Refusal feed(const std::string& bytes) { return session.feed(as_bytes(bytes), recorder, out); }
  void shake_hands(std::uint8_t minor = 1) {
    ASSERT_EQ(feed(greeting(minor) + ready("SUB")), Refusal::none);
    ASSERT_TRUE(session.ready());
    recorder.log.clear();
    out.clear();
  }

  SessionLimits limits{1'000, 3'000, 4};
  Session session{limits};
  Recorder recorder;
  std::string out;
};

using Log = std::vector<std::string>;

TEST_F(SessionTest, Handshake) {
  Session::start(out);
  EXPECT_EQ(out, greeting());
  out.clear();
  EXPECT_EQ(feed(greeting()), Refusal::none);
  EXPECT_FALSE(session.ready());
  EXPECT_EQ(out, "\x04\x1A\x05READY\x0BSocket-Type\0\0\0\x04XPUB"s);
  EXPECT_EQ(feed(ready("XSUB")), Refusal::none);
  EXPECT_TRUE(session.ready());
  EXPECT_EQ(recorder.log, Log{"ready"});
}

TEST_F(SessionTest, ByteByByte) {
  const std::string all = greeting() + ready("SUB") + frame(0, "\1abc") + command("CANCEL", "abc");
  for (const char byte : all) ASSERT_EQ(feed(std::string(1, byte)), Refusal::none);
  EXPECT_EQ(recorder.log, (Log{"ready", "+abc", "-abc"}));
}

TEST_F(SessionTest, GreetingInTwoStepsAsLibzmqSendsIt) {
  EXPECT_EQ(feed(greeting().substr(0, 10)), Refusal::none);
  EXPECT_EQ(feed(greeting().substr(10)), Refusal::none);
  EXPECT_EQ(feed(ready("SUB")), Refusal::none);
  EXPECT_TRUE(session.ready());
}

TEST_F(SessionTest, SubscriptionsOfBothVersions) {
  shake_hands();
  EXPECT_EQ(feed(frame(0, "\1") + frame(0, "\1\0\1"s) + frame(0, "\0a"s)), Refusal::none);
  EXPECT_EQ(feed(command("SUBSCRIBE", "") + command("CANCEL", "\0b"s)), Refusal::none);
  EXPECT_EQ(recorder.log, (Log{"+", "+\0\1"s, "-a", "+", "-\0b"s}));
}

TEST_F(SessionTest, LongTopics) {
  shake_hands();
  const std::string topic(900, 't');
  EXPECT_EQ(feed(frame(0, "\1" + topic) + command("SUBSCRIBE", topic)), Refusal::none);
  EXPECT_EQ(recorder.log, (Log{"+" + topic, "+" + topic}));
}

TEST_F(SessionTest, UserMessagesComeWhole) {
  shake_hands();
  EXPECT_EQ(feed(frame(0, "hello") + frame(k_more, "a") + frame(k_more, "\1b")), Refusal::none);
  EXPECT_EQ(recorder.log, Log{"message|hello"});
  EXPECT_EQ(feed(frame(0, "") + frame(0, "")), Refusal::none);
  EXPECT_EQ(recorder.log, (Log{"message|hello", "message|a|\1b|", "message|"}));
}

TEST_F(SessionTest, ASubscriptionMayHaveMoreOfThem) {
  shake_hands();
  EXPECT_EQ(feed(frame(k_more, "\1a") + frame(k_more, "x") + frame(0, "\1b") + frame(0, "\1c")),
            Refusal::none);
  EXPECT_EQ(recorder.log, (Log{"+a", "+b", "+c"}));
}

TEST_F(SessionTest, CommandsBetweenFramesOfAMessage) {
  shake_hands();
  EXPECT_EQ(feed(frame(k_more, "a") + command("PING", "\0\1c"s) + frame(0, "b")), Refusal::none);
  EXPECT_EQ(recorder.log, (Log{"ping 1c", "message|a|b"}));
}

TEST_F(SessionTest, UnknownCommandsAreIgnored) {
  shake_hands();
  EXPECT_EQ(feed(command("JOIN", "g") + command("PONG", "") + command("READY", "") +
                 command("X", std::string(300, 'x'))),
            Refusal::none);
  EXPECT_TRUE(recorder.log.empty());
  EXPECT_TRUE(out.empty());
}

TEST_F(SessionTest, OnlyPeersOf31UnderstandPing) {
  shake_hands(0);
  EXPECT_FALSE(session.understands_ping());
  Session other{limits};
  EXPECT_EQ(other.feed(as_bytes(greeting(1)), recorder, out), Refusal::none);
  EXPECT_TRUE(other.understands_ping());
}

TEST_F(SessionTest, ErrorIsFatalAnyTime) {
  EXPECT_EQ(feed(greeting() + command("ERROR", "\2no")), Refusal::peer_error);
  Session later{limits};
  EXPECT_EQ(
      later.feed(as_bytes(greeting() + ready("SUB") + command("ERROR", "\2no")), recorder, out),
      Refusal::peer_error);
}

TEST_F(SessionTest, WrongSocketTypesAreToldSo) {
  for (const std::string type : {"PUB", "XPUB", "REQ", "DEALER", "sub", ""}) {
    Session other{limits};
    std::string answer;
    EXPECT_EQ(other.feed(as_bytes(greeting() + ready(type)), recorder, answer),
              Refusal::wrong_socket_type);
    EXPECT_NE(answer.find("ERROR"), std::string::npos);
  }
  Session silent{limits};
  EXPECT_EQ(silent.feed(as_bytes(greeting() + command("READY", "")), recorder, out),
            Refusal::wrong_socket_type);
  EXPECT_TRUE(recorder.log.empty());
}

TEST_F(SessionTest, HandshakeTakesReadyOnly) {
  for (const auto& first :
       {frame(0, "\1"), command("SUBSCRIBE", "a"), command("PING", "\0\0"s), command("HELLO", ""),
        command("READY", "\x0BSocket-Type\0\0\0\x09SUB"s), "\x04\0"s}) {
    Session other{limits};
    EXPECT_EQ(other.feed(as_bytes(greeting() + first), recorder, out), Refusal::bad_handshake);
  }
}

TEST_F(SessionTest, RulesBroken) {
  const auto refusal = [this](const std::string& bytes) {
    Session other{limits};
    return other.feed(as_bytes(bytes), recorder, out);
  };
  const std::string hello = greeting() + ready("SUB");
  EXPECT_EQ(refusal("GET / HTTP/1.1\r\n\r\n"), Refusal::bad_signature);
  EXPECT_EQ(refusal(greeting().substr(0, 10) + "\1"), Refusal::old_version);
  EXPECT_EQ(refusal(greeting().substr(0, 12) + "CURVE"), Refusal::other_mechanism);
  EXPECT_EQ(refusal(hello + frame(0, "\1" + std::string(1'000, 't'))), Refusal::oversize);
  EXPECT_EQ(refusal(hello + "\x05\x01x"), Refusal::bad_frame);
  EXPECT_EQ(refusal(hello + "\x80\x01x"), Refusal::bad_frame);
  EXPECT_EQ(refusal(hello + "\x04\x02\x05x"), Refusal::bad_command);
  EXPECT_EQ(refusal(hello + command("PING", "\0"s)), Refusal::bad_command);
  const std::string part = frame(k_more, std::string(900, 'm'));
  EXPECT_EQ(refusal(hello + part + part + part + part), Refusal::long_message);
  std::string many;
  for (int i = 0; i < 5; ++i) many += frame(k_more, "");
  EXPECT_EQ(refusal(hello + many), Refusal::long_message);
}

TEST_F(SessionTest, EveryRefusalHasAText) {
  for (int i = 0; i <= static_cast<int>(Refusal::long_message); ++i) {
    EXPECT_STRNE(to_string(static_cast<Refusal>(i)), "?");
  }
}

}  // namespace
