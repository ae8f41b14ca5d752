// SPDX-License-Identifier: Apache-2.0
#include "nats.hpp"
#include "outlet/stream_outlet.hpp"

namespace sluice::bench {

namespace {

class NatsOutlet final : public StreamOutlet {
 public:
  explicit NatsOutlet(const std::string& endpoint) : StreamOutlet(endpoint, k_nats_connect) {}

 private:
  void append_head(std::string& to, const Header& header, std::size_t size) override {
    to += header.kind == k_probe ? "PUB prob " : "PUB data ";
    to += std::to_string(size);
    to += "\r\n";
  }
  void append_tail(std::string& to) override { to += "\r\n"; }
};

}  // namespace

std::unique_ptr<Outlet> make_nats_outlet(const std::string& endpoint) {
  return std::make_unique<NatsOutlet>(endpoint);
}

}  // namespace sluice::bench
