// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/log/log.hpp"
#include "app/process/event_fd.hpp"
#include "config/loaded.hpp"
#include "core/control/control_log.hpp"

#include <zmq.hpp>

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace sluice::app {

/// Who may come in over CURVE: answers libzmq's questions (ZAP, RFC 27) from the allow-lists. The
/// domain of a socket is its section, "sink.edge". Made and destroyed by main, before and after the
/// sockets that ask; `apply` from any thread.
class Zap {
 public:
  Zap(zmq::context_t& context, Log& log) : m_context(context), m_log(log) {}
  ~Zap();
  Zap(const Zap&) = delete;
  Zap& operator=(const Zap&) = delete;

  /// The lists of `config` count from now on, for new connections. The thread starts with the first
  /// section that has CURVE. Throws zmq::error_t.
  void apply(const config::LoadedConfig& config);

 private:
  using Lists = std::map<std::string, std::optional<std::set<std::string>>>;

  void run() noexcept;
  void answer(std::vector<zmq::message_t> request);
  [[nodiscard]] bool is_allowed(const std::string& domain, const std::string& key) const;

  zmq::context_t& m_context;
  Log& m_log;
  EventFd m_stop;
  mutable std::mutex m_mutex;
  Lists m_lists;
  zmq::socket_t m_socket;
  core::LogLimit m_refusals{10 * core::k_second, 5};
  std::thread m_thread;
};

}  // namespace sluice::app
