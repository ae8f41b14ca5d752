// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/ctl/ctl_endpoint.hpp"

#include <zmq.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::app {

using Frames = std::vector<std::string>;

/// One controller, on the matching socket type. Every call ends within the time-out. One thread.
class ControlClient {
 public:
  /// Throws Unreachable for an endpoint that makes no sense.
  ControlClient(const ControlTarget& target, std::chrono::milliseconds timeout);

  /// Sends a command; the answer, or nothing where none is due (section 7 of the design: PAUSE,
  /// RESUME and TERMINATE on a pair, everything on sub and pull). Throws Unreachable.
  std::optional<Frames> request(std::string_view command);
  /// Waits until the other side has closed the connection; false when `timeout` passed first.
  bool wait_closed(std::chrono::milliseconds timeout);

 private:
  [[nodiscard]] bool is_answered(std::string_view command) const;
  void send(std::string_view command);
  Frames receive();
  [[noreturn]] void fail(const std::string& why) const;

  ControlTarget m_target;
  std::chrono::milliseconds m_timeout;
  zmq::context_t m_context;
  zmq::socket_t m_socket;
  zmq::socket_t m_monitor;
};

}  // namespace sluice::app
