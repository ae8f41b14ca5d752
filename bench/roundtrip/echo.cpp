// SPDX-License-Identifier: Apache-2.0
#include "roundtrip/echo.hpp"

#include "address.hpp"
#include "socket.hpp"

#include <zmq.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <sys/socket.h>

namespace sluice::bench {

namespace {

/// One client after the other.
void echo_raw(std::string endpoint) {
  const core::Fd listener = listen_at(endpoint);
  for (;;) {
    const core::Fd client(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client) throw std::runtime_error(std::string("accept: ") + std::strerror(errno));
    set_nodelay(client.get(), true);
    std::array<char, k_request_size> bytes{};
    for (;;) {
      const auto n = recv(client.get(), bytes.data(), bytes.size(), 0);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0 ||
          send(client.get(), bytes.data(), static_cast<std::size_t>(n), MSG_NOSIGNAL) < 0) {
        break;
      }
    }
  }
}

void echo_zmq(const std::string& endpoint, bool bind) {
  Context context;
  Socket socket(context.get(), ZMQ_REP);
  if (bind) {
    socket.bind(endpoint);
  } else {
    socket.connect(endpoint);
  }
  zmq_msg_t message;
  zmq_msg_init(&message);
  while (zmq_msg_recv(&message, socket.get(), 0) >= 0 || zmq_errno() == EINTR) {
    zmq_msg_send(&message, socket.get(), 0);
  }
}

}  // namespace

int run_echo(const std::vector<std::string>& words) {
  if (words.size() != 2) throw std::invalid_argument("two words wanted");
  if (words[0] == "raw") {
    echo_raw(words[1]);
  } else {
    echo_zmq(words[1], words[0] == "bind");
  }
  return 1;
}

}  // namespace sluice::bench
