// SPDX-License-Identifier: Apache-2.0
#include "multicast.hpp"

#include "tcp.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>

namespace sluice::bench {

namespace {

constexpr std::string_view k_prefix = "udp://";
constexpr std::uint32_t k_group = 0xefff4d01U;  // 239.255.77.1, of the range for private use
constexpr int k_receive_buffer = 4 << 20;

void check(int result, const char* what) {
  if (result != 0) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

core::Fd datagram_socket(int flags) {
  core::Fd fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | flags, 0));
  check(fd ? 0 : -1, "socket");
  return fd;
}

sockaddr_in group_address(const std::string& endpoint) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(k_group);
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(k_prefix.size()))));
  return address;
}

}  // namespace

std::string fresh_multicast_endpoint() {
  return std::string(k_prefix) + std::to_string(port_of(free_tcp_endpoint()));
}

core::Fd open_multicast_sender(const std::string& endpoint) {
  core::Fd fd = datagram_socket(0);
  const in_addr interface { htonl(INADDR_LOOPBACK) };
  const unsigned char hops = 0;
  check(setsockopt(fd.get(), IPPROTO_IP, IP_MULTICAST_IF, &interface, sizeof interface),
        "IP_MULTICAST_IF");
  check(setsockopt(fd.get(), IPPROTO_IP, IP_MULTICAST_TTL, &hops, sizeof hops), "IP_MULTICAST_TTL");
  const auto address = group_address(endpoint);
  check(connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
        "connect to the multicast group");
  return fd;
}

core::Fd open_multicast_listener(const std::string& endpoint) {
  core::Fd fd = datagram_socket(SOCK_NONBLOCK);
  const int on = 1;
  check(setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on), "SO_REUSEADDR");
  // Above the system's limit where we may.
  if (setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUFFORCE, &k_receive_buffer,
                 sizeof k_receive_buffer) != 0) {
    setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUF, &k_receive_buffer, sizeof k_receive_buffer);
  }
  const auto address = group_address(endpoint);
  check(bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), "bind");
  ip_mreq membership{};
  membership.imr_multiaddr.s_addr = htonl(k_group);
  membership.imr_interface.s_addr = htonl(INADDR_LOOPBACK);
  check(setsockopt(fd.get(), IPPROTO_IP, IP_ADD_MEMBERSHIP, &membership, sizeof membership),
        "IP_ADD_MEMBERSHIP");
  return fd;
}

}  // namespace sluice::bench
