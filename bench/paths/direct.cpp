// SPDX-License-Identifier: Apache-2.0
#include "paths/paths.hpp"
#include "socket.hpp"

namespace sluice::bench {

namespace {

/// No proxy: every source binds the wire itself and every subscriber connects to all of them.
class DirectPath final : public Path {
 public:
  explicit DirectPath(PathOptions options) : m_options(std::move(options)) {}

  void start() override {}
  void stop() override {}
  [[nodiscard]] std::string source_endpoint(std::size_t /*index*/) const override {
    return fresh_endpoint(m_options.transport);
  }
  [[nodiscard]] bool sources_bind() const override { return true; }
  [[nodiscard]] std::vector<std::string> subscriber_endpoints() const override { return {}; }

 private:
  PathOptions m_options;
};

}  // namespace

std::unique_ptr<Path> make_direct_path(PathOptions options) {
  return std::make_unique<DirectPath>(std::move(options));
}

}  // namespace sluice::bench
