// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wait/waiter.hpp"
#include "core/zmq/zmq_socket.hpp"

#include <functional>
#include <string>

namespace sluice::core {

/// Tells whether somebody is bound to an inproc name, which libzmq does not: inproc has no monitor
/// events, and an XSUB cannot see that its peer has gone. A PUSH socket can (without a peer it is
/// not writable), so one that never sends is connected beside it. On the loop's thread.
class InprocProbe final : public Watched {
 public:
  /// `found` is called whenever somebody has bound the name, at once where that is so already; what
  /// it throws goes through. Throws EndpointError, std::runtime_error.
  InprocProbe(void* context, std::string endpoint, Waiter& waiter, std::function<void()> found);
  ~InprocProbe();
  InprocProbe(const InprocProbe&) = delete;
  InprocProbe& operator=(const InprocProbe&) = delete;

  [[nodiscard]] bool connected() const noexcept { return m_connected; }

  void on_ready(std::uint32_t events) noexcept override;

 private:
  void open();
  bool reuse() noexcept;
  void stop_watching() noexcept;
  [[nodiscard]] bool has_peer() noexcept;

  void* m_context;
  std::string m_endpoint;
  Waiter& m_waiter;
  std::function<void()> m_found;
  ZmqSocket m_socket;  // a new one for each peer: then its only wakes are that peer's
  int m_fd = -1;
  bool m_connected = false;
};

/// zmq_connect for inproc names. True when somebody has bound the name; false when libzmq waits for
/// that (it connects by itself then). Throws EndpointError.
bool connect_inproc(void* socket, const std::string& endpoint);

}  // namespace sluice::core
