// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wait/waiter.hpp"
#include "core/zmq/zmq_socket.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace sluice::core {

/// What libzmq tells about a socket's connections and listeners, read on the loop's thread. Never
/// makes libzmq wait: the event queue is unlimited. Must end before the socket is closed, or be
/// told.
class Monitor final : public Watched {
 public:
  /// Throws std::runtime_error.
  Monitor(void* context, void* socket, Waiter& waiter);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  /// Open connections of bound endpoints, those still in their handshake included: libzmq does
  /// not tell which they are.
  [[nodiscard]] std::size_t accepted() const noexcept { return m_accepted.size(); }
  [[nodiscard]] std::size_t connected() const noexcept { return m_connected.size(); }
  [[nodiscard]] bool is_connected(const std::string& endpoint) const;
  /// Whether the listener of this endpoint has been closed, so that its address is free.
  [[nodiscard]] bool is_closed(const std::string& endpoint) const;

  /// The socket is about to be closed: what comes of that is still told.
  void socket_closes() noexcept { m_monitored = nullptr; }
  /// Whether the closed socket is gone, with nothing left to send, or the context shut down.
  [[nodiscard]] bool ended() const noexcept { return m_ended; }

  /// Called for each connection that was made or lost: true and the endpoint it came in at or went
  /// to.
  void on_peer(std::function<void(bool, const std::string&)> told) { m_told = std::move(told); }

  /// Reads what has come; the loop's wait does it by itself.
  void on_ready(std::uint32_t events) noexcept override;

 private:
  void handle(std::uint16_t event, std::uint32_t value, const std::string& endpoint);

  void* m_monitored;
  Waiter& m_waiter;
  ZmqSocket m_reader;
  int m_fd = -1;
  std::map<std::uint32_t, std::string> m_accepted;  // descriptors and where they came in
  std::set<std::uint32_t> m_connected;              // descriptors
  std::multiset<std::string> m_connected_endpoints;
  std::set<std::string> m_closed;
  bool m_ended = false;
  std::function<void(bool, const std::string&)> m_told;
};

}  // namespace sluice::core
