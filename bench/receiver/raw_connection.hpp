// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fd.hpp"
#include "receiver/tally.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sluice::bench {

/// The subscriber's end of one ZMTP 3.0 connection, NULL mechanism: it does as little per message
/// as can be done, so that what is measured is the other end. Used by one thread.
class RawConnection {
 public:
  /// Begins to connect. Throws std::runtime_error.
  RawConnection(const std::string& endpoint, std::size_t subscriber,
                std::vector<std::string> topics);

  [[nodiscard]] int fd() const noexcept { return m_fd.get(); }
  /// The handshake is done and the subscriptions are sent.
  [[nodiscard]] bool open() const noexcept { return m_state == State::open; }

  /// Call when the descriptor is readable, and once when it is first writable. `buffer` is scratch
  /// space shared by all connections. Throws std::runtime_error when the connection has ended.
  void on_ready(Tally& tally, std::span<std::byte> buffer);

 private:
  enum class State : std::uint8_t { connecting, greeting, ready, open };

  void finish_connect();
  void write_all(std::string_view bytes);
  void send_subscriptions();
  /// Consumes whole units from `in`; returns how many bytes.
  std::size_t parse(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns);
  std::size_t parse_frame(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns);
  void on_command(std::span<const std::byte> body);

  core::Fd m_fd;
  std::size_t m_subscriber;
  std::vector<std::string> m_topics;
  State m_state = State::connecting;
  std::vector<std::byte> m_carry;  // the beginning of a unit that was cut by a read
  std::uint64_t m_skip = 0;        // payload of the frame in hand that is still to come
  Header m_header;                 // of the frame in hand
  std::size_t m_size = 0;
  bool m_counted = false;  // the frame in hand is the first of its message and counts
  bool m_more = false;     // the frame before this one was not the last of its message
};

}  // namespace sluice::bench
