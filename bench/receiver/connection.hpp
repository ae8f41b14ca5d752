// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"
#include "receiver/tally.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::bench {

/// The subscriber's end of one stream connection, without a library: it does as little per message
/// as can be done, so that what is measured is the other end. Used by one thread.
class Connection {
 public:
  /// Begins to connect. Throws std::runtime_error.
  explicit Connection(const std::string& endpoint);
  /// Takes over a socket that needs no connection.
  explicit Connection(core::Fd fd) noexcept : m_fd(std::move(fd)) {}
  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// -1 once the connection is over.
  [[nodiscard]] int fd() const noexcept { return m_fd.get(); }
  /// The handshake is done and the subscriptions are sent.
  [[nodiscard]] virtual bool open() const noexcept = 0;

  /// Call when the descriptor is readable, and once when it is first writable. `buffer` is scratch
  /// space shared by all connections. Throws std::runtime_error when the connection has ended and
  /// must not.
  void on_ready(Tally& tally, std::span<std::byte> buffer);

 protected:
  /// The first thing that can be written.
  virtual void on_connected() = 0;
  /// Consumes whole units from `in`; returns how many bytes. 0: there is none.
  virtual std::size_t consume(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns) = 0;
  /// The other end has closed. Throws here.
  virtual void on_closed();

  void write_all(std::string_view bytes);
  void close() noexcept { m_fd.reset(); }

 private:
  void finish_connect();

  core::Fd m_fd;
  bool m_connected = false;
  std::vector<std::byte> m_carry;  // the beginning of a unit that was cut by a read
};

}  // namespace sluice::bench
