// SPDX-License-Identifier: Apache-2.0
#include "core/link_options.hpp"

#include "core/zmq_socket.hpp"

#include <zmq.h>

namespace sluice::core {
namespace {

int ms(std::chrono::milliseconds d) noexcept {
  return static_cast<int>(d.count());
}

}  // namespace

void set_link_options(void* socket, const LinkOptions& link, Liveness liveness) {
  if (link.sndbuf > 0) set_option(socket, ZMQ_SNDBUF, link.sndbuf, "ZMQ_SNDBUF");
  if (link.rcvbuf > 0) set_option(socket, ZMQ_RCVBUF, link.rcvbuf, "ZMQ_RCVBUF");
  set_option(socket, ZMQ_RECONNECT_IVL, ms(link.reconnect_interval), "ZMQ_RECONNECT_IVL");
  set_option(socket, ZMQ_RECONNECT_IVL_MAX, ms(link.reconnect_interval_max),
             "ZMQ_RECONNECT_IVL_MAX");
  if (link.tcp_keepalive) set_option(socket, ZMQ_TCP_KEEPALIVE, 1, "ZMQ_TCP_KEEPALIVE");
  if (liveness == Liveness::heartbeats) {
    if (link.heartbeat_interval.count() > 0) {
      set_option(socket, ZMQ_HEARTBEAT_IVL, ms(link.heartbeat_interval), "ZMQ_HEARTBEAT_IVL");
      set_option(socket, ZMQ_HEARTBEAT_TIMEOUT, ms(link.heartbeat_timeout),
                 "ZMQ_HEARTBEAT_TIMEOUT");
    }
  } else if (link.tcp_user_timeout.count() > 0) {
    // ZMQ_TCP_MAXRT is TCP_USER_TIMEOUT on Linux.
    set_option(socket, ZMQ_TCP_MAXRT, ms(link.tcp_user_timeout), "ZMQ_TCP_MAXRT");
  }
}

}  // namespace sluice::core
