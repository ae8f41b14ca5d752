// SPDX-License-Identifier: Apache-2.0
#include "tcp.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>

namespace sluice::bench {

namespace {

constexpr std::string_view k_prefix = "tcp://127.0.0.1:";

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

core::Fd tcp_socket() {
  core::Fd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) fail("socket");
  const int on = 1;
  setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

}  // namespace

std::uint16_t port_of(const std::string& endpoint) {
  std::uint16_t port = 0;
  const auto* const end = endpoint.data() + endpoint.size();
  if (!endpoint.starts_with(k_prefix) ||
      std::from_chars(endpoint.data() + k_prefix.size(), end, port).ptr != end) {
    throw std::runtime_error("not tcp on 127.0.0.1: " + endpoint);
  }
  return port;
}

core::Fd connect_tcp(const std::string& endpoint) {
  sockaddr_in address = loopback(port_of(endpoint));
  core::Fd fd = tcp_socket();
  if (connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    fail("connect " + endpoint);
  }
  if (fcntl(fd.get(), F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
  return fd;
}

std::string free_tcp_endpoint() {
  const core::Fd fd = tcp_socket();
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    fail("bind");
  }
  return std::string(k_prefix) + std::to_string(ntohs(address.sin_port));
}

}  // namespace sluice::bench
