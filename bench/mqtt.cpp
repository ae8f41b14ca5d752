// SPDX-License-Identifier: Apache-2.0
#include "mqtt.hpp"

#include <stdexcept>

namespace sluice::bench {

namespace {

using namespace std::string_literals;

constexpr unsigned k_seven_bits = 0x7f;
constexpr unsigned k_more = 0x80;
constexpr std::size_t k_length_limit = 4;

void append_length(std::string& to, std::size_t length) {
  do {
    const auto low = static_cast<unsigned>(length) & k_seven_bits;
    length >>= 7U;
    to += static_cast<char>(length != 0 ? low | k_more : low);
  } while (length != 0);
}

void append_text(std::string& to, std::string_view text) {
  to += static_cast<char>(text.size() >> 8U);
  to += static_cast<char>(text.size() & 0xffU);
  to += text;
}

}  // namespace

std::string mqtt_connect() {
  return "\x10\x0c\0\4MQTT\4\2\0\0\0\0"s;
}

std::string mqtt_subscribe(const std::vector<std::string>& topics) {
  std::string body = "\0\1"s;
  for (const auto& topic : topics) {
    append_text(body, topic);
    body += '\0';
  }
  std::string packet = "\x82";
  append_length(packet, body.size());
  return packet + body;
}

void append_mqtt_publish(std::string& to, std::string_view topic, std::size_t size) {
  to += static_cast<char>(k_mqtt_publish);
  append_length(to, 2 + topic.size() + size);
  append_text(to, topic);
}

bool parse_mqtt_head(std::string_view in, MqttPacket& packet) {
  if (in.empty()) return false;
  packet.type = static_cast<unsigned char>(in[0]) & 0xf0U;
  packet.size = 0;
  for (std::size_t i = 0; i < k_length_limit; ++i) {
    if (in.size() < i + 2) return false;
    const auto byte = static_cast<unsigned char>(in[i + 1]);
    packet.size |= static_cast<std::size_t>(byte & k_seven_bits) << (7 * i);
    if ((byte & k_more) == 0) {
      packet.head = i + 2;
      return true;
    }
  }
  throw std::runtime_error("malformed MQTT packet");
}

}  // namespace sluice::bench
