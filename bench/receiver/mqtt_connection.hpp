// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "receiver/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sluice::bench {

/// A subscriber that speaks MQTT 3.1.1 with quality of service 0; messages of up to 128 KiB. Used
/// by one thread.
class MqttConnection final : public Connection {
 public:
  /// Begins to connect. Throws std::runtime_error.
  MqttConnection(const std::string& endpoint, std::size_t subscriber,
                 std::vector<std::string> topics)
      : Connection(endpoint), m_subscriber(subscriber), m_topics(std::move(topics)) {}

  [[nodiscard]] bool open() const noexcept override { return m_open; }

 private:
  void on_connected() override;
  std::size_t consume(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns) override;
  void on_closed() override;
  void on_packet(unsigned type, std::span<const std::byte> body, Tally& tally, std::int64_t now_ns);

  std::size_t m_subscriber;
  std::vector<std::string> m_topics;
  bool m_open = false;
};

}  // namespace sluice::bench
