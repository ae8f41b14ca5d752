// SPDX-License-Identifier: Apache-2.0
#include "core/zmq/link_options.hpp"

#include "core/zmq/zmq_socket.hpp"

#include <zmq.h>

namespace sluice::core {
namespace {

// A host that vanished from an idle link is found after 15 + 3 x 5 seconds.
constexpr int k_keepalive_idle_s = 15;
constexpr int k_keepalive_interval_s = 5;
constexpr int k_keepalive_probes = 3;

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
  if (link.tcp_keepalive) {
    set_option(socket, ZMQ_TCP_KEEPALIVE, 1, "ZMQ_TCP_KEEPALIVE");
    set_option(socket, ZMQ_TCP_KEEPALIVE_IDLE, k_keepalive_idle_s, "ZMQ_TCP_KEEPALIVE_IDLE");
    set_option(socket, ZMQ_TCP_KEEPALIVE_INTVL, k_keepalive_interval_s, "ZMQ_TCP_KEEPALIVE_INTVL");
    set_option(socket, ZMQ_TCP_KEEPALIVE_CNT, k_keepalive_probes, "ZMQ_TCP_KEEPALIVE_CNT");
  }
  if (liveness == Liveness::heartbeats && link.heartbeat_interval.count() > 0) {
    set_option(socket, ZMQ_HEARTBEAT_IVL, ms(link.heartbeat_interval), "ZMQ_HEARTBEAT_IVL");
    set_option(socket, ZMQ_HEARTBEAT_TIMEOUT, ms(link.heartbeat_timeout), "ZMQ_HEARTBEAT_TIMEOUT");
  }
  if (liveness == Liveness::user_timeout && link.tcp_user_timeout.count() > 0) {
    // ZMQ_TCP_MAXRT is TCP_USER_TIMEOUT on Linux.
    set_option(socket, ZMQ_TCP_MAXRT, ms(link.tcp_user_timeout), "ZMQ_TCP_MAXRT");
  }
}

}  // namespace sluice::core
