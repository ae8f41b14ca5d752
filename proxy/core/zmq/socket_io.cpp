// SPDX-License-Identifier: Apache-2.0
#include "core/zmq/socket_io.hpp"

#include <cerrno>
#include <climits>

namespace sluice::core {
namespace {

int failure() noexcept {
  return errno == EFSM ? EAGAIN : errno;
}

template <typename SendFrame>
int send_frames(Message& message, std::size_t& done, SendFrame&& send_frame) noexcept {
  while (done < message.frames()) {
    const int flags = ZMQ_DONTWAIT | (done + 1 < message.frames() ? ZMQ_SNDMORE : 0);
    if (send_frame(message.frame(done), flags) < 0) {
      if (errno == EINTR) continue;
      const int error = failure();
      if (error != EAGAIN) done = 0;
      return error;
    }
    ++done;
  }
  done = 0;
  return 0;
}

}  // namespace

int receive_whole(void* socket, Message& message) noexcept {
  for (;;) {
    Frame& frame = message.next();
    const int size = zmq_msg_recv(frame.raw(), socket, ZMQ_DONTWAIT);
    if (size < 0) {
      if (errno == EINTR) continue;
      const int error = failure();
      message.clear();  // libzmq delivers messages whole; this is for what never happens
      return error;
    }
    const bool more = frame.more();
    if (size < INT_MAX) {  // libzmq answers INT_MAX for all that is larger
      message.push(static_cast<std::size_t>(size));
    } else {
      message.push();
    }
    if (!more) return 0;
  }
}

int send_whole(void* socket, Message& message, std::size_t& done) noexcept {
  return send_frames(message, done, [socket](Frame& frame, int flags) {
    return zmq_msg_send(frame.raw(), socket, flags);
  });
}

int send_shared(void* socket, Message& message, std::size_t& done) noexcept {
  return send_frames(message, done, [socket](Frame& frame, int flags) {
    Frame copy = frame.share();
    return zmq_msg_send(copy.raw(), socket, flags);
  });
}

}  // namespace sluice::core
