// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/deadline.hpp"

#include <gtest/gtest.h>
#include <zmq.h>

#include <optional>
#include <string>
#include <vector>

namespace sluice::test {

/// A libzmq subscriber with a context of its own.
class ZmqClient {
 public:
  explicit ZmqClient(int type = ZMQ_SUB) : m_context(zmq_ctx_new()) {
    m_socket = zmq_socket(m_context, type);
    set(ZMQ_LINGER, 0);
    set(ZMQ_RCVHWM, 0);
    set(ZMQ_RECONNECT_IVL, 20);
    set(ZMQ_RCVTIMEO, static_cast<int>(patience().count()));
  }
  ~ZmqClient() {
    zmq_close(m_socket);
    zmq_ctx_term(m_context);
  }
  ZmqClient(const ZmqClient&) = delete;
  ZmqClient& operator=(const ZmqClient&) = delete;

  void set(int option, int value) { zmq_setsockopt(m_socket, option, &value, sizeof value); }
  void connect(const std::string& endpoint) {
    ASSERT_EQ(zmq_connect(m_socket, endpoint.c_str()), 0) << zmq_strerror(zmq_errno());
  }
  void disconnect(const std::string& endpoint) { zmq_disconnect(m_socket, endpoint.c_str()); }
  void subscribe(const std::string& topic) {
    zmq_setsockopt(m_socket, ZMQ_SUBSCRIBE, topic.data(), topic.size());
  }
  void unsubscribe(const std::string& topic) {
    zmq_setsockopt(m_socket, ZMQ_UNSUBSCRIBE, topic.data(), topic.size());
  }
  void send(const std::string& bytes, int flags = 0) {
    zmq_send(m_socket, bytes.data(), bytes.size(), flags);
  }
  /// A whole message; nothing after the receive timeout.
  std::optional<std::vector<std::string>> receive(int flags = 0) {
    std::vector<std::string> parts;
    for (;;) {
      zmq_msg_t message;
      zmq_msg_init(&message);
      if (zmq_msg_recv(&message, m_socket, flags) < 0) {
        zmq_msg_close(&message);
        return std::nullopt;
      }
      parts.emplace_back(static_cast<const char*>(zmq_msg_data(&message)), zmq_msg_size(&message));
      const bool more = zmq_msg_more(&message) != 0;
      zmq_msg_close(&message);
      if (!more) return parts;
    }
  }
  [[nodiscard]] void* socket() const noexcept { return m_socket; }

 private:
  void* m_context;
  void* m_socket;
};

}  // namespace sluice::test
