// SPDX-License-Identifier: Apache-2.0
#include "compat/socket_pair.hpp"

#include "core/zmq/zmq_socket.hpp"

#include <zmq.h>

#include <cerrno>
#include <utility>

namespace sluice::compat {
namespace {

bool can_receive(int type) noexcept {
  return type != ZMQ_PUB && type != ZMQ_PUSH;
}

bool can_send(int type) noexcept {
  return type != ZMQ_SUB && type != ZMQ_PULL;
}

}  // namespace

SocketPair arrange(void* frontend, void* backend) noexcept {
  SocketPair pair{frontend, backend, false, frontend == backend, false, false, false, false};
  if (pair.same) return pair;
  int front = core::int_option(frontend, ZMQ_TYPE);
  int back = core::int_option(backend, ZMQ_TYPE);
  const bool down = can_receive(front) && can_send(back);
  const bool up = can_receive(back) && can_send(front);
  if ((up && !down) || (front == ZMQ_XPUB && back == ZMQ_XSUB)) {
    std::swap(front, back);
    std::swap(pair.frontend, pair.backend);
    pair.swapped = true;
  }
  const bool way_up = can_send(front);
  pair.drops_up = !way_up && back == ZMQ_XPUB;
  pair.receives_up = can_receive(back) && (way_up || pair.drops_up);
  pair.both_ways = pair.receives_up && way_up && front != ZMQ_XSUB;
  pair.checks_topics = front == ZMQ_XSUB;
  return pair;
}

int check_socket(void* socket) noexcept {
  int value = 0;
  std::size_t size = sizeof value;
  if (zmq_getsockopt(socket, ZMQ_FD, &value, &size) != 0) return errno;
  // A signal may interrupt this; in a forked child it never succeeds.
  for (int tries = 0; tries < 100; ++tries) {
    size = sizeof value;
    if (zmq_getsockopt(socket, ZMQ_EVENTS, &value, &size) == 0) return 0;
    if (errno != EINTR) return errno;
  }
  return EINTR;
}

}  // namespace sluice::compat
