// SPDX-License-Identifier: Apache-2.0
#include "receiver/connection.hpp"

#include "core/clock.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>

namespace sluice::bench {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

Address parse_endpoint(const std::string& endpoint) {
  Address address;
  if (endpoint.starts_with("tcp://")) {
    const auto colon = endpoint.rfind(':');
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_port = htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(colon + 1))));
    if (inet_pton(AF_INET, endpoint.substr(6, colon - 6).c_str(), &in.sin_addr) != 1) {
      throw std::runtime_error("not an IPv4 endpoint: " + endpoint);
    }
    std::memcpy(&address.storage, &in, sizeof in);
    address.size = sizeof in;
    return address;
  }
  if (endpoint.starts_with("ipc://")) {
    const auto path = endpoint.substr(6);
    sockaddr_un un{};
    un.sun_family = AF_UNIX;
    if (path.size() >= sizeof un.sun_path) throw std::runtime_error("too long: " + endpoint);
    std::memcpy(un.sun_path, path.data(), path.size());
    const bool abstract = path.starts_with('@');
    if (abstract) un.sun_path[0] = '\0';
    std::memcpy(&address.storage, &un, sizeof un);
    address.size =
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + (abstract ? 0 : 1));
    return address;
  }
  throw std::runtime_error("neither tcp nor ipc: " + endpoint);
}

}  // namespace

Connection::Connection(const std::string& endpoint) {
  const Address address = parse_endpoint(endpoint);
  const int family = address.storage.ss_family;
  m_fd = core::Fd(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!m_fd) fail("socket");
  if (family == AF_INET) {
    const int on = 1;
    setsockopt(fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  sockaddr_storage storage = address.storage;
  for (;;) {
    if (connect(fd(), reinterpret_cast<sockaddr*>(&storage), address.size) == 0) return;
    if (errno == EINPROGRESS) return;
    if (errno != EAGAIN) fail("connect " + endpoint);
    // A full backlog of a UNIX socket: there is nothing to wait on but time.
    poll(nullptr, 0, 1);
  }
}

void Connection::finish_connect() {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(fd(), SOL_SOCKET, SO_ERROR, &error, &size);
  errno = error;
  if (error != 0) fail("connect");
  m_connected = true;
  on_connected();
}

void Connection::on_closed() {
  throw std::runtime_error("closed by the other end");
}

void Connection::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      pollfd item{fd(), POLLOUT, 0};
      poll(&item, 1, -1);
    } else if (errno != EINTR) {
      fail("send");
    }
  }
}

void Connection::on_ready(Tally& tally, std::span<std::byte> buffer) {
  if (!m_connected) finish_connect();
  std::copy(m_carry.begin(), m_carry.end(), buffer.begin());
  const auto carried = m_carry.size();
  const auto n = recv(fd(), buffer.data() + carried, buffer.size() - carried, 0);
  if (n == 0 || (n < 0 && errno == ECONNRESET)) {
    on_closed();
    return;
  }
  if (n < 0) {
    if (errno == EAGAIN || errno == EINTR) return;
    fail("recv");
  }
  const auto in = std::span<const std::byte>(buffer.data(), carried + static_cast<std::size_t>(n));
  const auto rest = in.subspan(consume(in, tally, core::now()));
  m_carry.assign(rest.begin(), rest.end());
}

}  // namespace sluice::bench
