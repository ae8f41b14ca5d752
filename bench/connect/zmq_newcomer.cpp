// SPDX-License-Identifier: Apache-2.0
#include "connect/newcomer.hpp"
#include "core/base/clock.hpp"
#include "socket.hpp"

#include <zmq.h>

#include <stdexcept>

namespace sluice::bench {

namespace {

constexpr int k_patience_ms = 10'000;

}  // namespace

Steps zmq_newcomer(void* context, const std::string& endpoint, const std::string& topic) {
  Steps steps;
  const auto begin = core::now();
  Socket socket(context, ZMQ_SUB);
  socket.set(ZMQ_RCVTIMEO, k_patience_ms);
  socket.set(ZMQ_SUBSCRIBE, topic);
  const auto created = core::now();
  socket.connect(endpoint);
  const auto connected = core::now();
  zmq_msg_t message;
  zmq_msg_init(&message);
  const int got = zmq_msg_recv(&message, socket.get(), 0);
  zmq_msg_close(&message);
  if (got < 0) throw std::runtime_error(std::string("no message: ") + zmq_strerror(zmq_errno()));
  const auto first = core::now();
  socket.close();
  steps.create = created - begin;
  steps.connect = connected - created;
  steps.first = first - connected;
  steps.close = core::now() - first;
  return steps;
}

}  // namespace sluice::bench
