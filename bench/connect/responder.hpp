// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "socket.hpp"

#include <atomic>
#include <string>
#include <thread>

namespace sluice::bench {

/// A source on a thread of its own that answers every subscription with one message of that topic.
class Responder {
 public:
  /// Connects to the endpoint, or binds it. Throws std::runtime_error.
  Responder(void* context, const std::string& endpoint, bool bind);
  ~Responder();
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;

  /// Where a source that binds is found.
  [[nodiscard]] const std::string& endpoint() const noexcept { return m_endpoint; }

 private:
  void run();

  Socket m_socket;
  std::string m_endpoint;
  std::atomic<bool> m_stopping{false};
  std::thread m_thread;
};

}  // namespace sluice::bench
