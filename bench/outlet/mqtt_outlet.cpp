// SPDX-License-Identifier: Apache-2.0
#include "mqtt.hpp"
#include "outlet/stream_outlet.hpp"

namespace sluice::bench {

namespace {

class MqttOutlet final : public StreamOutlet {
 public:
  explicit MqttOutlet(const std::string& endpoint) : StreamOutlet(endpoint, mqtt_connect()) {}

 private:
  void append_head(std::string& to, const Header& header, std::size_t size) override {
    append_mqtt_publish(to, header.kind == k_probe ? k_probe_topic : k_data_topic, size);
  }
};

}  // namespace

std::unique_ptr<Outlet> make_mqtt_outlet(const std::string& endpoint) {
  return std::make_unique<MqttOutlet>(endpoint);
}

}  // namespace sluice::bench
