// SPDX-License-Identifier: Apache-2.0
#include "multicast.hpp"
#include "paths/paths.hpp"
#include "socket.hpp"

namespace sluice::bench {

namespace {

/// No proxy: every source binds the wire itself and every subscriber connects to all of them.
class DirectPath final : public Path {
 public:
  DirectPath(std::string transport, Wire wire) : m_transport(std::move(transport)), m_wire(wire) {}

  void start() override {}
  void stop() override {}
  [[nodiscard]] std::string source_endpoint(std::size_t /*index*/) const override {
    return m_wire == Wire::multicast ? fresh_multicast_endpoint() : fresh_endpoint(m_transport);
  }
  [[nodiscard]] bool sources_bind() const override { return true; }
  [[nodiscard]] std::vector<std::string> subscriber_endpoints() const override { return {}; }
  [[nodiscard]] Wire wire() const override { return m_wire; }

 private:
  std::string m_transport;
  Wire m_wire;
};

}  // namespace

std::unique_ptr<Path> make_direct_path(const PathOptions& options) {
  return std::make_unique<DirectPath>(options.transport, Wire::zmtp);
}

std::unique_ptr<Path> make_wire_path(const PathOptions& options) {
  return std::make_unique<DirectPath>(options.transport, Wire::plain);
}

std::unique_ptr<Path> make_multicast_path() {
  return std::make_unique<DirectPath>("udp", Wire::multicast);
}

}  // namespace sluice::bench
