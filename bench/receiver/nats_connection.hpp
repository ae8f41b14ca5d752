// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "receiver/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::bench {

/// A subscriber that speaks the text protocol of nats-server; takes messages of up to 128 KiB. A
/// server that finds a subscriber too slow cuts it off: then `fd` is -1, and what does not come any
/// more counts as lost. Used by one thread.
class NatsConnection final : public Connection {
 public:
  /// Begins to connect. Throws std::runtime_error.
  NatsConnection(const std::string& endpoint, std::size_t subscriber,
                 std::vector<std::string> subjects);

  [[nodiscard]] bool open() const noexcept override { return m_open; }

 private:
  void on_connected() override {}  // the server speaks first
  std::size_t consume(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns) override;
  void on_closed() override;
  /// One line or message; returns how many bytes, 0 when it is not whole.
  std::size_t parse(std::string_view in, Tally& tally, std::int64_t now_ns);

  std::size_t m_subscriber;
  std::vector<std::string> m_subjects;
  bool m_open = false;
};

}  // namespace sluice::bench
