// SPDX-License-Identifier: Apache-2.0
#include "paths/paths.hpp"
#include "process/child.hpp"
#include "process/programs.hpp"
#include "tcp.hpp"

#include <memory>
#include <optional>

namespace sluice::bench {

namespace {

constexpr auto k_start_timeout = std::chrono::seconds(20);

/// Another process, tcp in and tcp out.
class SeparatePath final : public Path {
 public:
  SeparatePath(std::string variant, PathOptions options)
      : m_variant(std::move(variant)), m_options(std::move(options)) {}

  void start() override {
    auto folder = make_child_folder();
    m_program = make_program(m_variant, m_options, folder);
    m_child.emplace(std::move(folder), m_program.command);
    m_child->wait_listening(m_program.front, k_start_timeout);
    if (m_program.back != m_program.front) {
      m_child->wait_listening(m_program.back, k_start_timeout);
    }
  }
  void stop() override { m_child.reset(); }

  [[nodiscard]] std::string source_endpoint(std::size_t /*index*/) const override {
    return m_program.front;
  }
  [[nodiscard]] std::vector<std::string> subscriber_endpoints() const override {
    return {m_program.back};
  }
  [[nodiscard]] Wire wire() const override { return m_program.wire; }
  [[nodiscard]] pid_t process() const override { return m_child->pid(); }

 private:
  std::string m_variant;
  PathOptions m_options;
  Program m_program;
  std::optional<Child> m_child;
};

}  // namespace

std::unique_ptr<Path> make_separate_path(const std::string& variant, PathOptions options) {
  return std::make_unique<SeparatePath>(variant, std::move(options));
}

}  // namespace sluice::bench
