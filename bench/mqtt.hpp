// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::bench {

// Of MQTT 3.1.1 what a publisher and a subscriber with quality of service 0 say and hear.
inline constexpr unsigned k_mqtt_connack = 0x20;
inline constexpr unsigned k_mqtt_publish = 0x30;
inline constexpr unsigned k_mqtt_suback = 0x90;

/// A client without a name, a clean session and no keep-alive.
[[nodiscard]] std::string mqtt_connect();
[[nodiscard]] std::string mqtt_subscribe(const std::vector<std::string>& topics);
/// All of a PUBLISH but its payload of `size` bytes.
void append_mqtt_publish(std::string& to, std::string_view topic, std::size_t size);

/// Of a packet: its type (the upper half of the first byte), where its body begins, and its length.
struct MqttPacket {
  unsigned type = 0;
  std::size_t head = 0;
  std::size_t size = 0;
};
/// False while the head is not whole. Throws std::runtime_error for a malformed one.
[[nodiscard]] bool parse_mqtt_head(std::string_view in, MqttPacket& packet);

}  // namespace sluice::bench
