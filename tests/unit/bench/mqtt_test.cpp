// SPDX-License-Identifier: Apache-2.0
#include "mqtt.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace sluice::bench {
namespace {

using namespace std::string_literals;

TEST(Mqtt, SubscribesWithQualityZero) {
  EXPECT_EQ(mqtt_subscribe({"a", "bc"}), "\x82\x0b\0\1\0\1a\0\0\2bc\0"s);
}

TEST(Mqtt, LengthsTakeSevenBitsAByte) {
  std::string packet;
  append_mqtt_publish(packet, "data", 100);
  EXPECT_EQ(packet, "\x30\x6a\0\4data"s);
  packet.clear();
  append_mqtt_publish(packet, "data", 40'036);
  MqttPacket parsed;
  ASSERT_TRUE(parse_mqtt_head(packet, parsed));
  EXPECT_EQ(parsed.type, k_mqtt_publish);
  EXPECT_EQ(parsed.head, 4U);
  EXPECT_EQ(parsed.size, 40'036U + 6);
}

TEST(Mqtt, AHeadInPiecesIsNotWholeAndATooLongOneIsRefused) {
  MqttPacket parsed;
  EXPECT_FALSE(parse_mqtt_head("", parsed));
  EXPECT_FALSE(parse_mqtt_head("\x30", parsed));
  EXPECT_FALSE(parse_mqtt_head("\x30\x80", parsed));
  EXPECT_THROW(static_cast<void>(parse_mqtt_head("\x30\x80\x80\x80\x80\x01", parsed)),
               std::runtime_error);
}

}  // namespace
}  // namespace sluice::bench
