// SPDX-License-Identifier: Apache-2.0
#include "core/zmq/zmq_socket.hpp"

#include <zmq.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace sluice::core {

ZmqSocket::ZmqSocket(void* context, int type) : m_socket(zmq_socket(context, type)) {
  if (m_socket == nullptr) {
    const std::string hint =
        errno == EMFILE ? " (the descriptor limit or the context's ZMQ_MAX_SOCKETS is reached)"
                        : "";
    throw std::runtime_error(std::string{"cannot make a socket: "} + zmq_strerror(errno) + hint);
  }
}

void ZmqSocket::close() noexcept {
  if (m_socket != nullptr) zmq_close(std::exchange(m_socket, nullptr));
}

namespace {

void set_raw(void* socket, int option, const void* value, std::size_t size, const char* name) {
  if (zmq_setsockopt(socket, option, value, size) != 0) {
    throw std::runtime_error(std::string{"cannot set "} + name + ": " + zmq_strerror(errno));
  }
}

}  // namespace

void set_option(void* socket, int option, int value, const char* name) {
  set_raw(socket, option, &value, sizeof value, name);
}

void set_option64(void* socket, int option, std::int64_t value, const char* name) {
  set_raw(socket, option, &value, sizeof value, name);
}

int int_option(void* socket, int option) noexcept {
  int value = -1;
  std::size_t size = sizeof value;
  return zmq_getsockopt(socket, option, &value, &size) == 0 ? value : -1;
}

int socket_fd(void* socket) noexcept {
  return int_option(socket, ZMQ_FD);
}

bool process_commands(void* socket) noexcept {
  int events = 0;
  std::size_t size = sizeof events;
  while (zmq_getsockopt(socket, ZMQ_EVENTS, &events, &size) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

bool tells_of_room(void* socket) noexcept {
  const int type = int_option(socket, ZMQ_TYPE);
  return type != ZMQ_ROUTER && type != ZMQ_STREAM && type != ZMQ_XPUB && type != ZMQ_PUB;
}

std::string last_endpoint(void* socket) {
  std::array<char, 512> text{};
  std::size_t size = text.size();
  if (zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, text.data(), &size) != 0) return {};
  return std::string{text.data()};
}

}  // namespace sluice::core
