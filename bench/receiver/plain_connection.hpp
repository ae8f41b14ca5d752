// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "receiver/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sluice::bench {

/// A reader of messages of up to 128 KiB, each behind its length, without any protocol. Used by one
/// thread.
class PlainConnection final : public Connection {
 public:
  /// Begins to connect. Throws std::runtime_error.
  PlainConnection(const std::string& endpoint, std::size_t subscriber)
      : Connection(endpoint), m_subscriber(subscriber) {}

  [[nodiscard]] bool open() const noexcept override { return m_open; }

 private:
  void on_connected() override { m_open = true; }
  std::size_t consume(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns) override;

  std::size_t m_subscriber;
  bool m_open = false;
};

}  // namespace sluice::bench
