// SPDX-License-Identifier: Apache-2.0
#include "sink/native/zmtp/command.hpp"
#include "sink/native/zmtp/decoder.hpp"
#include "sink/native/zmtp/greeting.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace {

using namespace sluice::zmtp;
using std::string_literals::operator""s;

std::string text(Bytes bytes) {
  return std::string{as_text(bytes)};
}

std::string frame(std::uint8_t flags, const std::string& body) {
  std::array<std::byte, k_long_header> header{};
  const std::size_t size = write_header(header.data(), flags, body.size());
  return text(Bytes{header}.first(size)) + body;
}

GreetingVerdict verdict(const std::string& bytes) {
  return check_greeting(as_bytes(bytes)).verdict;
}

TEST(Greeting, OursIsAccepted) {
  const std::string ours = text(make_greeting());
  ASSERT_EQ(ours.size(), 64U);
  EXPECT_EQ(ours.substr(0, 10), "\xFF\0\0\0\0\0\0\0\0\x7F"s);
  EXPECT_EQ(ours.substr(10, 2), "\x03\x01"s);
  EXPECT_EQ(ours.substr(12, 20), "NULL" + std::string(16, '\0'));
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(verdict(ours.substr(0, i)), GreetingVerdict::incomplete) << i;
  }
  EXPECT_EQ(verdict(ours), GreetingVerdict::accepted);
  EXPECT_EQ(verdict(ours + "more"), GreetingVerdict::accepted);
}

TEST(Greeting, PaddingServerFlagAndFillerHaveNoMeaning) {
  std::string greeting = text(make_greeting());
  greeting[8] = 1;  // libzmq announces the length of its identity here
  greeting[32] = 1;
  greeting[63] = 1;
  EXPECT_EQ(verdict(greeting), GreetingVerdict::accepted);
}

TEST(Greeting, VersionsFromThreeUpAreAccepted) {
  std::string greeting = text(make_greeting());
  for (const auto& version : {"\x03\0"s, "\x03\x01"s, "\x03\x09"s, "\x04\0"s, "\xFF\xFF"s}) {
    greeting.replace(10, 2, version);
    EXPECT_EQ(verdict(greeting), GreetingVerdict::accepted);
  }
}

TEST(Greeting, RefusalsComeWithTheFirstByteThatSettlesThem) {
  const std::string ours = text(make_greeting());
  EXPECT_EQ(verdict("G"), GreetingVerdict::bad_signature);
  EXPECT_EQ(verdict("\x01\0"s), GreetingVerdict::bad_signature);
  EXPECT_EQ(verdict("\xFF\0\0\0\0\0\0\0\x01\x7E"s), GreetingVerdict::bad_signature);
  for (const char version : {'\0', '\1', '\2'}) {
    EXPECT_EQ(verdict(ours.substr(0, 10) + version), GreetingVerdict::old_version);
  }
  EXPECT_EQ(verdict(ours.substr(0, 12) + "C"), GreetingVerdict::other_mechanism);
  EXPECT_EQ(verdict(ours.substr(0, 12) + "NULLX"), GreetingVerdict::other_mechanism);
  EXPECT_EQ(verdict(ours.substr(0, 12) + "PLAIN"), GreetingVerdict::other_mechanism);
}

TEST(Frame, HeadersRoundTrip) {
  for (const std::uint64_t size : {0ULL, 1ULL, 255ULL, 256ULL, 70'000ULL, 1ULL << 40U}) {
    std::array<std::byte, k_long_header> out{};
    const std::size_t length = write_header(out.data(), k_more, size);
    EXPECT_EQ(length, size > 255 ? 9U : 2U);
    EXPECT_EQ(length, header_size(size));
    const FrameHeader header = read_header(Bytes{out}.first(length));
    EXPECT_EQ(header.length, length);
    EXPECT_EQ(header.size, size);
    EXPECT_EQ(header.flags & k_more, k_more);
    EXPECT_EQ(read_header(Bytes{out}.first(length - 1)).length, 0);
  }
}

class DecoderTest : public testing::Test {
 protected:
  static std::vector<std::string> bodies(const std::string& stream, std::size_t step) {
    Decoder decoder{1'000};
    std::vector<std::string> found;
    for (std::size_t at = 0; at < stream.size(); at += step) {
      const std::string part = stream.substr(at, step);
      Bytes input = as_bytes(part);
      for (;;) {
        const Decoded decoded = decoder.next(input);
        if (decoded.status != DecodeStatus::frame) {
          EXPECT_EQ(decoded.status, DecodeStatus::need_more);
          break;
        }
        found.push_back(text(decoded.body));
      }
      EXPECT_TRUE(input.empty());
    }
    EXPECT_EQ(decoder.held(), 0U);
    return found;
  }
};

TEST_F(DecoderTest, AnyCutGivesTheSameFrames) {
  const std::vector<std::string> wanted{
      "", "a", std::string(255, 'b'), std::string(256, 'c'), "", std::string(1'000, 'd')};
  std::string stream;
  for (const auto& body : wanted) stream += frame(0, body);
  for (std::size_t step = 1; step <= stream.size(); step = step * 2 + 1) {
    EXPECT_EQ(bodies(stream, step), wanted) << step;
  }
}

TEST_F(DecoderTest, LongFormOfAShortBodyIsTaken) {
  const std::string stream = "\x02\0\0\0\0\0\0\0\x03"s + "abc";
  EXPECT_EQ(bodies(stream, 1), std::vector<std::string>{"abc"});
}

TEST_F(DecoderTest, OversizeIsSeenInTheHeader) {
  for (const auto& bytes : {"\x02\0\0\0\0\0\0\x03\xE9"s, "\x02\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s}) {
    Decoder decoder{1'000};
    Bytes input = as_bytes(bytes);
    EXPECT_EQ(decoder.next(input).status, DecodeStatus::oversize);
    Decoder slow{1'000};
    DecodeStatus status = DecodeStatus::need_more;
    for (const char byte : bytes) {
      Bytes one = as_bytes({&byte, 1});
      status = slow.next(one).status;
    }
    EXPECT_EQ(status, DecodeStatus::oversize);
  }
}

TEST_F(DecoderTest, ReservedFlagsAndMoreOnACommandAreRefused) {
  for (const unsigned flags : {0x05U, 0x08U, 0x10U, 0x80U, 0xFFU}) {
    Decoder decoder{1'000};
    const std::string one(1, static_cast<char>(flags));
    Bytes input = as_bytes(one);
    EXPECT_EQ(decoder.next(input).status, DecodeStatus::bad_flags) << flags;
  }
}

TEST_F(DecoderTest, AnAnnouncedFrameTakesNoMemoryBeforeItComes) {
  Decoder decoder{1ULL << 40U};
  const std::string header = "\x02\0\0\0\x40\0\0\0\0"s;
  Bytes input = as_bytes(header);
  EXPECT_EQ(decoder.next(input).status, DecodeStatus::need_more);
  EXPECT_EQ(decoder.held(), header.size());
}

TEST(Command, ParsesNamesAndData) {
  const std::string body = "\x04PING\0\x64xyz"s;
  const auto ping = parse_command(as_bytes(body));
  ASSERT_TRUE(ping);
  EXPECT_EQ(ping->name, "PING");
  const auto parsed = parse_ping(ping->data);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->ttl_tenths, 100);
  EXPECT_EQ(text(parsed->context), "xyz");
  EXPECT_FALSE(parse_command({}));
  EXPECT_FALSE(parse_command(as_bytes("\0PING"s)));
  EXPECT_FALSE(parse_command(as_bytes("\x05PING"s)));
  EXPECT_FALSE(parse_ping(as_bytes("\0"s)));
}

TEST(Command, PingContextIsCutTo16) {
  const std::string data = "\0\0"s + std::string(40, 'c');
  const auto ping = parse_ping(as_bytes(data));
  ASSERT_TRUE(ping);
  EXPECT_EQ(ping->context.size(), 16U);
}

TEST(Command, Metadata) {
  const std::string metadata =
      "\x08identity\0\0\0\x02me"s + "\x0BSOCKET-type\0\0\0\x03SUB"s + "\x03X-a\0\0\0\0"s;
  Bytes value;
  EXPECT_EQ(find_property(as_bytes(metadata), "Socket-Type", value), MetadataStatus::ok);
  EXPECT_EQ(text(value), "SUB");
  EXPECT_EQ(find_property(as_bytes(metadata), "Resource", value), MetadataStatus::ok);
  EXPECT_TRUE(value.empty());
  EXPECT_EQ(find_property({}, "Socket-Type", value), MetadataStatus::ok);
  for (std::size_t cut = 1; cut < metadata.size(); ++cut) {
    const auto status = find_property(as_bytes(metadata.substr(0, cut)), "Socket-Type", value);
    const bool whole = cut == 15 || cut == 34;
    EXPECT_EQ(status, whole ? MetadataStatus::ok : MetadataStatus::malformed) << cut;
  }
  const std::string huge = "\x01x\xFF\xFF\xFF\xFF"s;
  EXPECT_EQ(find_property(as_bytes(huge), "x", value), MetadataStatus::malformed);
  EXPECT_EQ(find_property(as_bytes("\0\0\0\0\0"s), "x", value), MetadataStatus::malformed);
}

TEST(Command, WhatWeSend) {
  std::string out;
  append_ready(out);
  EXPECT_EQ(out, "\x04\x1A\x05READY\x0BSocket-Type\0\0\0\x04XPUB"s);
  out.clear();
  append_ping(out);
  EXPECT_EQ(out, "\x04\x07\x04PING\0\0"s);
  out.clear();
  append_pong(out, as_bytes("ctx"));
  EXPECT_EQ(out, "\x04\x08\x04PONGctx"s);
  out.clear();
  append_error(out, "no");
  EXPECT_EQ(out,
            "\x04\x09\x05"
            "ERROR\x02no"s);
  out.clear();
  append_error(out, std::string(300, 'e'));
  EXPECT_EQ(out.size(), 9U + 6U + 1U + 255U);
}

}  // namespace
