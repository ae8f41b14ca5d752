// SPDX-License-Identifier: Apache-2.0
#include "paths/polled_proxy.hpp"

#include <zmq.h>

#include <array>
#include <cstring>
#include <string_view>

namespace sluice::bench {

namespace {

/// One whole message; false when there is none or it cannot be moved.
bool forward(void* from, void* to, zmq_msg_t& message, int flags) {
  for (;;) {
    if (zmq_msg_recv(&message, from, flags) < 0) return false;
    const bool more = zmq_msg_more(&message) != 0;
    if (zmq_msg_send(&message, to, more ? ZMQ_SNDMORE : 0) < 0) return false;
    if (!more) return true;
    flags = 0;
  }
}

bool ends(void* control, zmq_msg_t& message) {
  if (zmq_msg_recv(&message, control, ZMQ_DONTWAIT) < 0) return false;
  const std::string_view word(static_cast<const char*>(zmq_msg_data(&message)),
                              zmq_msg_size(&message));
  const bool terminate = word == "TERMINATE";
  zmq_send(control, "", 0, ZMQ_DONTWAIT);
  return terminate;
}

}  // namespace

void polled_proxy(void* front, void* back, void* control, std::uint32_t burst) {
  zmq_msg_t message;
  zmq_msg_init(&message);
  std::array<zmq_pollitem_t, 3> in{
      {{front, 0, ZMQ_POLLIN, 0}, {back, 0, ZMQ_POLLIN, 0}, {control, 0, ZMQ_POLLIN, 0}}};
  std::array<zmq_pollitem_t, 2> out{{{front, 0, ZMQ_POLLOUT, 0}, {back, 0, ZMQ_POLLOUT, 0}}};
  for (;;) {
    if (zmq_poll(in.data(), static_cast<int>(in.size()), -1) < 0) continue;
    if (in[2].revents != 0 && ends(control, message)) break;
    if (zmq_poll(out.data(), static_cast<int>(out.size()), 0) < 0) continue;
    if (in[0].revents != 0 && out[1].revents != 0) {
      for (std::uint32_t i = 0; i < burst && forward(front, back, message, ZMQ_DONTWAIT); ++i) {
      }
    }
    if (in[1].revents != 0 && out[0].revents != 0) forward(back, front, message, ZMQ_DONTWAIT);
  }
  zmq_msg_close(&message);
}

}  // namespace sluice::bench
