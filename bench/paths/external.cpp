// SPDX-License-Identifier: Apache-2.0
#include "paths/paths.hpp"

namespace sluice::bench {

namespace {

/// A proxy that somebody else starts and ends, in this process's namespaces or in a container.
class ExternalPath final : public Path {
 public:
  explicit ExternalPath(PathOptions options) : m_options(std::move(options)) {}

  void start() override {}
  void stop() override {}
  [[nodiscard]] std::string source_endpoint(std::size_t /*index*/) const override {
    return m_options.front;
  }
  [[nodiscard]] std::vector<std::string> subscriber_endpoints() const override {
    return {m_options.back};
  }
  [[nodiscard]] pid_t process() const override { return m_options.process; }

 private:
  PathOptions m_options;
};

}  // namespace

std::unique_ptr<Path> make_external_path(PathOptions options) {
  return std::make_unique<ExternalPath>(std::move(options));
}

}  // namespace sluice::bench
