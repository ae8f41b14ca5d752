// SPDX-License-Identifier: Apache-2.0
#include "connect/responder.hpp"

#include <zmq.h>

#include <string_view>

namespace sluice::bench {

namespace {

constexpr int k_stop_poll_ms = 20;
constexpr std::size_t k_size = 1000;  // as in the measurement of 2025

}  // namespace

Responder::Responder(void* context, const std::string& endpoint, bool bind)
    : m_socket(context, ZMQ_XPUB), m_endpoint(endpoint) {
  m_socket.set(ZMQ_RCVTIMEO, k_stop_poll_ms);
  if (bind) {
    m_socket.bind(endpoint);
    m_endpoint = m_socket.last_endpoint();
  } else {
    m_socket.connect(endpoint);
  }
  m_thread = std::thread([this] { run(); });
}

Responder::~Responder() {
  m_stopping.store(true);
  m_thread.join();
}

void Responder::run() {
  zmq_msg_t message;
  zmq_msg_init(&message);
  while (!m_stopping.load(std::memory_order_relaxed)) {
    if (zmq_msg_recv(&message, m_socket.get(), 0) < 0) continue;
    const std::string_view frame(static_cast<const char*>(zmq_msg_data(&message)),
                                 zmq_msg_size(&message));
    if (!frame.starts_with('\1')) continue;
    std::string body(frame.substr(1));
    body.resize(k_size, 'x');
    zmq_send(m_socket.get(), body.data(), body.size(), 0);
  }
  zmq_msg_close(&message);
}

}  // namespace sluice::bench
