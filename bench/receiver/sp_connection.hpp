// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "receiver/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sluice::bench {

/// A subscriber of nng's publisher: takes all that comes, as that protocol filters at the
/// subscriber. Messages of up to 128 KiB. Used by one thread.
class SpConnection final : public Connection {
 public:
  /// Begins to connect. Throws std::runtime_error.
  SpConnection(const std::string& endpoint, std::size_t subscriber)
      : Connection(endpoint), m_subscriber(subscriber) {}

  [[nodiscard]] bool open() const noexcept override { return m_open; }

 private:
  void on_connected() override;
  std::size_t consume(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns) override;

  std::size_t m_subscriber;
  bool m_open = false;
};

}  // namespace sluice::bench
