// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/log.hpp"
#include "config/loaded.hpp"
#include "core/control_protocol.hpp"
#include "core/ipc_listener.hpp"

#include <zmq.hpp>

#include <string>
#include <thread>
#include <vector>

namespace sluice::app {

/// The control socket and the thread that owns it once started. Ends with the context.
class ControlThread {
 public:
  /// Binds every endpoint, ipc files with their mode from the first moment on. Throws
  /// EndpointError; nothing stays bound then.
  ControlThread(zmq::context_t& context, const config::ControlOptions& options);
  /// The context has been shut down, or `start` was never called.
  ~ControlThread();
  ControlThread(const ControlThread&) = delete;
  ControlThread& operator=(const ControlThread&) = delete;

  /// `steerable` and `log` outlive the thread.
  void start(core::Steerable& steerable, Log& log);
  void join();

  /// As bound, wildcards resolved.
  [[nodiscard]] const std::vector<std::string>& endpoints() const noexcept { return m_endpoints; }

 private:
  void bind(const std::string& endpoint, const IpcFileOptions& file);
  void run(core::Steerable& steerable, Log& log) noexcept;

  std::vector<core::IpcPathGuard> m_files;
  zmq::socket_t m_socket;
  std::vector<std::string> m_endpoints;
  std::thread m_thread;
};

}  // namespace sluice::app
