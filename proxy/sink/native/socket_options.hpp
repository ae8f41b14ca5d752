// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/options.hpp>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace sluice::sink {

/// Best effort: a peer may be gone already, which its next read tells.
inline void set_option(int fd, int level, int name, int value) noexcept {
  ::setsockopt(fd, level, name, &value, sizeof value);
}

inline void set_buffers(int fd, const LinkOptions& link) noexcept {
  if (link.sndbuf > 0) set_option(fd, SOL_SOCKET, SO_SNDBUF, link.sndbuf);
  if (link.rcvbuf > 0) set_option(fd, SOL_SOCKET, SO_RCVBUF, link.rcvbuf);
}

/// For an accepted TCP connection. A host that vanished while idle is noticed by keepalive within a
/// minute, also by sinks without heartbeats.
inline void tune_tcp(int fd, const LinkOptions& link, bool nodelay) noexcept {
  if (nodelay) set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  if (!link.tcp_keepalive) return;
  set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, 30);
  set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, 10);
  set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

}  // namespace sluice::sink
