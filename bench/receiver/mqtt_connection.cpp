// SPDX-License-Identifier: Apache-2.0
#include "receiver/mqtt_connection.hpp"

#include "mqtt.hpp"

#include <stdexcept>

namespace sluice::bench {

namespace {

constexpr std::size_t k_packet_limit = 128U << 10;

}  // namespace

void MqttConnection::on_connected() {
  write_all(mqtt_connect());
}

void MqttConnection::on_closed() {
  if (!m_open) throw std::runtime_error("closed by the other end");
  close();  // what does not come any more counts as lost
}

std::size_t MqttConnection::consume(std::span<const std::byte> in, Tally& tally,
                                    std::int64_t now_ns) {
  const std::string_view text(reinterpret_cast<const char*>(in.data()), in.size());
  std::size_t consumed = 0;
  MqttPacket packet;
  while (parse_mqtt_head(text.substr(consumed), packet)) {
    if (packet.size > k_packet_limit) throw std::runtime_error("message too long");
    const auto whole = packet.head + packet.size;
    if (text.size() - consumed < whole) break;
    on_packet(packet.type, in.subspan(consumed + packet.head, packet.size), tally, now_ns);
    consumed += whole;
  }
  return consumed;
}

void MqttConnection::on_packet(unsigned type, std::span<const std::byte> body, Tally& tally,
                               std::int64_t now_ns) {
  if (type == k_mqtt_publish) {
    if (body.size() < 2) throw std::runtime_error("malformed MQTT packet");
    const auto topic =
        std::to_integer<std::size_t>(body[0]) << 8U | std::to_integer<std::size_t>(body[1]);
    if (body.size() < 2 + topic) throw std::runtime_error("malformed MQTT packet");
    const auto payload = body.subspan(2 + topic);
    if (payload.size() < k_header_size) return;
    tally.on_message(m_subscriber, read_header(payload.data()), payload.size(), now_ns);
  } else if (type == k_mqtt_connack) {
    if (body.size() != 2 || body[1] != std::byte{0})
      throw std::runtime_error("refused by the broker");
    write_all(mqtt_subscribe(m_topics));
  } else if (type == k_mqtt_suback) {
    m_open = true;
  }
}

}  // namespace sluice::bench
