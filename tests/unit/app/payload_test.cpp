// SPDX-License-Identifier: Apache-2.0
#include "app/feed/payload.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::app {
namespace {

TEST(Payload, ReadsWhatItWrote) {
  std::vector<std::byte> message(100, std::byte{'.'});
  write_payload(message, {source_id("demo"), 0x0102030405060708ULL, 42});
  const auto payload = read_payload(message);
  ASSERT_TRUE(payload);
  EXPECT_EQ(payload->source, source_id("demo"));
  EXPECT_EQ(payload->sequence, 0x0102030405060708ULL);
  EXPECT_EQ(payload->time_ns, 42U);
}

TEST(Payload, TheLayoutIsTheDocumentedOne) {
  std::vector<std::byte> message(k_payload_size + 1, std::byte{'.'});
  write_payload(message, {1, 0x0203, 4});
  EXPECT_EQ(message[0], std::byte{'.'});
  EXPECT_EQ(message[1], std::byte{1});
  EXPECT_EQ(message[9], std::byte{3}) << "little endian";
  EXPECT_EQ(message[10], std::byte{2});
  EXPECT_EQ(message[17], std::byte{4});
}

TEST(Payload, ShortMessagesHaveNone) {
  const std::vector<std::byte> message(k_payload_size - 1);
  EXPECT_FALSE(read_payload(message));
}

}  // namespace
}  // namespace sluice::app
