// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "multicast.hpp"
#include "receiver/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sluice::bench {

/// A member of a multicast group: one message a datagram. Used by one thread.
class MulticastConnection final : public Connection {
 public:
  /// Throws std::runtime_error.
  MulticastConnection(const std::string& endpoint, std::size_t subscriber)
      : Connection(open_multicast_listener(endpoint)), m_subscriber(subscriber) {}

  [[nodiscard]] bool open() const noexcept override { return m_open; }

 private:
  void on_connected() override { m_open = true; }
  std::size_t consume(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns) override {
    if (in.size() >= k_header_size) {
      tally.on_message(m_subscriber, read_header(in.data()), in.size(), now_ns);
    }
    return in.size();
  }

  std::size_t m_subscriber;
  bool m_open = false;
};

}  // namespace sluice::bench
