// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "socket.hpp"

#include <string>
#include <sys/types.h>
#include <thread>

namespace sluice::bench {

/// ROUTER in front and DEALER behind, with a proxy call between them on a thread of its own.
class RequestProxy {
 public:
  /// `ours`: sluice_proxy_steerable; else libzmq's. Throws std::runtime_error.
  RequestProxy(void* context, const std::string& transport, bool ours);
  ~RequestProxy();
  RequestProxy(const RequestProxy&) = delete;
  RequestProxy& operator=(const RequestProxy&) = delete;

  [[nodiscard]] std::string front() const { return m_front.last_endpoint(); }
  [[nodiscard]] std::string back() const { return m_back.last_endpoint(); }
  [[nodiscard]] pid_t thread() const noexcept { return m_thread_id; }

 private:
  Socket m_front;
  Socket m_back;
  Socket m_proxy_control;
  Socket m_control;
  std::thread m_thread;
  pid_t m_thread_id = 0;
};

}  // namespace sluice::bench
