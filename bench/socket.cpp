// SPDX-License-Identifier: Apache-2.0
#include "socket.hpp"

#include "scratch.hpp"

#include <zmq.h>

#include <array>
#include <atomic>
#include <stdexcept>
#include <unistd.h>

namespace sluice::bench {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + zmq_strerror(zmq_errno()));
}

}  // namespace

Socket::Socket(void* context, int type) : m_socket(zmq_socket(context, type)) {
  if (m_socket == nullptr) fail("zmq_socket");
  set(ZMQ_LINGER, 0);
}

Socket& Socket::operator=(Socket&& other) noexcept {
  if (this != &other) {
    close();
    m_socket = std::exchange(other.m_socket, nullptr);
  }
  return *this;
}

void Socket::set(int option, int value) {
  if (zmq_setsockopt(m_socket, option, &value, sizeof value) != 0) fail("zmq_setsockopt");
}

void Socket::set(int option, const std::string& value) {
  if (zmq_setsockopt(m_socket, option, value.data(), value.size()) != 0) fail("zmq_setsockopt");
}

void Socket::bind(const std::string& endpoint) {
  if (zmq_bind(m_socket, endpoint.c_str()) != 0) fail("bind " + endpoint);
}

void Socket::connect(const std::string& endpoint) {
  if (zmq_connect(m_socket, endpoint.c_str()) != 0) fail("connect " + endpoint);
}

std::string Socket::last_endpoint() const {
  std::array<char, 256> text{};
  std::size_t size = text.size();
  if (zmq_getsockopt(m_socket, ZMQ_LAST_ENDPOINT, text.data(), &size) != 0) fail("last endpoint");
  return text.data();
}

void Socket::send(const std::string& bytes) {
  if (zmq_send(m_socket, bytes.data(), bytes.size(), 0) < 0) fail("zmq_send");
}

void Socket::close() noexcept {
  if (m_socket != nullptr) zmq_close(std::exchange(m_socket, nullptr));
}

Context::Context() : m_context(zmq_ctx_new()) {
  if (m_context == nullptr) fail("zmq_ctx_new");
  zmq_ctx_set(m_context, ZMQ_MAX_SOCKETS, 65'000);
}

Context::~Context() {
  while (zmq_ctx_term(m_context) != 0 && zmq_errno() == EINTR) {
  }
}

std::string fresh_endpoint(const std::string& transport) {
  static std::atomic<int> number{0};
  if (transport == "tcp") return "tcp://127.0.0.1:*";
  const auto name = std::to_string(number.fetch_add(1));
  if (transport == "abstract")
    return "ipc://@sluice-bench-" + std::to_string(getpid()) + "-" + name;
  return "ipc://" + (scratch_folder() / name).string();
}

}  // namespace sluice::bench
