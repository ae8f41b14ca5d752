// SPDX-License-Identifier: Apache-2.0
#include "address.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <string_view>
#include <sys/un.h>

namespace sluice::bench {

namespace {

constexpr std::string_view k_tcp = "tcp://";
constexpr std::string_view k_ipc = "ipc://";

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

template <typename T>
Address address_of(const T& value, std::size_t size) {
  Address address;
  std::memcpy(&address.storage, &value, sizeof value);
  address.size = static_cast<socklen_t>(size);
  return address;
}

core::Fd stream_socket(int family) {
  core::Fd fd(socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) fail("socket");
  return fd;
}

}  // namespace

Address parse_endpoint(const std::string& endpoint) {
  if (endpoint.starts_with(k_tcp)) {
    const auto colon = endpoint.rfind(':');
    const auto host = endpoint.substr(k_tcp.size(), colon - k_tcp.size());
    const auto port = endpoint.substr(colon + 1);
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_port = port == "*" ? in_port_t{0} : htons(static_cast<std::uint16_t>(std::stoi(port)));
    if (inet_pton(AF_INET, host.c_str(), &in.sin_addr) != 1) {
      throw std::runtime_error("not an IPv4 endpoint: " + endpoint);
    }
    return address_of(in, sizeof in);
  }
  if (endpoint.starts_with(k_ipc)) {
    const auto path = endpoint.substr(k_ipc.size());
    sockaddr_un un{};
    un.sun_family = AF_UNIX;
    if (path.size() >= sizeof un.sun_path) throw std::runtime_error("too long: " + endpoint);
    std::memcpy(un.sun_path, path.data(), path.size());
    const bool abstract = path.starts_with('@');
    if (abstract) un.sun_path[0] = '\0';
    return address_of(un, offsetof(sockaddr_un, sun_path) + path.size() + (abstract ? 0 : 1));
  }
  throw std::runtime_error("neither tcp nor ipc: " + endpoint);
}

core::Fd listen_at(std::string& endpoint) {
  const Address address = parse_endpoint(endpoint);
  core::Fd fd = stream_socket(address.family());
  if (bind(fd.get(), address.get(), address.size) != 0) fail("bind " + endpoint);
  if (listen(fd.get(), SOMAXCONN) != 0) fail("listen " + endpoint);
  if (address.family() == AF_INET) {
    sockaddr_in in{};
    socklen_t size = sizeof in;
    if (getsockname(fd.get(), reinterpret_cast<sockaddr*>(&in), &size) != 0) fail("getsockname");
    endpoint = endpoint.substr(0, endpoint.rfind(':') + 1) + std::to_string(ntohs(in.sin_port));
  }
  return fd;
}

core::Fd connect_to(const std::string& endpoint) {
  const Address address = parse_endpoint(endpoint);
  core::Fd fd = stream_socket(address.family());
  set_nodelay(fd.get(), true);
  if (connect(fd.get(), address.get(), address.size) != 0) fail("connect " + endpoint);
  return fd;
}

void set_nodelay(int fd, bool on) noexcept {
  const int value = on ? 1 : 0;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value, sizeof value);
}

}  // namespace sluice::bench
