// SPDX-License-Identifier: Apache-2.0
#include "receiver/connection.hpp"

#include "address.hpp"
#include "core/base/clock.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>

namespace sluice::bench {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

}  // namespace

Connection::Connection(const std::string& endpoint) {
  const Address address = parse_endpoint(endpoint);
  m_fd = core::Fd(socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!m_fd) fail("socket");
  set_nodelay(fd(), true);
  for (;;) {
    if (connect(fd(), address.get(), address.size) == 0) return;
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
