// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/log/log.hpp"
#include "app/process/event_fd.hpp"
#include "config/loaded.hpp"
#include "core/control/control_socket.hpp"
#include "core/endpoint/ipc_listener.hpp"

#include <zmq.hpp>

#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sluice::app {

/// The control socket and the thread that owns it once started. Made, started and stopped by main.
class ControlThread {
 public:
  /// Binds every endpoint, ipc files with their mode from the first moment on. Throws
  /// EndpointError; nothing stays bound then.
  ControlThread(zmq::context_t& context, const config::ControlOptions& options);
  ~ControlThread();
  ControlThread(const ControlThread&) = delete;
  ControlThread& operator=(const ControlThread&) = delete;

  /// `steerable` and `log` outlive the thread.
  void start(core::Steerable& steerable, Log& log);
  /// Answers what has come in and closes the socket; answers on their way still leave.
  void stop();

  /// For its counts. Null before `start`.
  [[nodiscard]] const core::ControlProtocol* protocol() const noexcept {
    return m_protocol ? &*m_protocol : nullptr;
  }
  /// As bound, wildcards resolved.
  [[nodiscard]] const std::vector<std::string>& endpoints() const noexcept { return m_endpoints; }

 private:
  void bind(const std::string& endpoint, const IpcFileOptions& file);
  void run() noexcept;

  EventFd m_stop;
  zmq::socket_t m_socket;
  core::ControlSocket::Envelope m_envelope;
  std::vector<core::IpcPathGuard> m_files;
  std::vector<std::string> m_endpoints;
  std::optional<core::ControlProtocol> m_protocol;
  std::thread m_thread;
};

}  // namespace sluice::app
