// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "receiver/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sluice::bench {

/// ZMTP 3.0, NULL mechanism, and just enough of it to subscribe and count. Used by one thread.
class RawConnection final : public Connection {
 public:
  /// Begins to connect. Throws std::runtime_error.
  RawConnection(const std::string& endpoint, std::size_t subscriber,
                std::vector<std::string> topics);

  [[nodiscard]] bool open() const noexcept override { return m_state == State::open; }

 private:
  enum class State : std::uint8_t { greeting, ready, open };

  void on_connected() override;
  std::size_t consume(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns) override;
  void send_subscriptions();
  /// Consumes one whole unit from `in`; returns how many bytes.
  std::size_t parse(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns);
  std::size_t parse_frame(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns);
  void on_command(std::span<const std::byte> body);

  std::size_t m_subscriber;
  std::vector<std::string> m_topics;
  State m_state = State::greeting;
  std::uint64_t m_skip = 0;  // payload of the frame in hand that is still to come
  Header m_header;           // of the frame in hand
  std::size_t m_size = 0;
  bool m_counted = false;  // the frame in hand is the first of its message and counts
  bool m_more = false;     // the frame before this one was not the last of its message
};

}  // namespace sluice::bench
