// SPDX-License-Identifier: Apache-2.0
#include "outlet/stream_outlet.hpp"
#include "sp.hpp"

namespace sluice::bench {

namespace {

class SpOutlet final : public StreamOutlet {
 public:
  explicit SpOutlet(const std::string& endpoint) : StreamOutlet(endpoint, k_sp_publisher) {}

 private:
  void append_head(std::string& to, const Header& /*header*/, std::size_t size) override {
    for (unsigned shift = 64; shift != 0; shift -= 8) {
      to += static_cast<char>(size >> (shift - 8) & 0xffU);
    }
  }
};

}  // namespace

std::unique_ptr<Outlet> make_sp_outlet(const std::string& endpoint) {
  return std::make_unique<SpOutlet>(endpoint);
}

}  // namespace sluice::bench
