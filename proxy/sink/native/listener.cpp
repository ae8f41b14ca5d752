// SPDX-License-Identifier: Apache-2.0
#include "sink/native/listener.hpp"

#include "sink/native/socket_options.hpp"
#include "sink/native/tcp_address.hpp"

#include <sluice/error.hpp>

#include <cerrno>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <utility>

namespace sluice::sink {
namespace {

constexpr int k_backlog = 1024;  // the kernel cuts it to somaxconn

}  // namespace

Listener::Listener(const std::string& endpoint, const LinkOptions& link, const IpcFileOptions& file,
                   Acceptor& acceptor)
    : m_acceptor(acceptor) {
  if (endpoint.starts_with("tcp://")) {
    bind_tcp(endpoint, link);
    return;
  }
  if (!endpoint.starts_with("ipc://")) {
    throw EndpointError(endpoint, EPROTONOSUPPORT,
                        "the native engine binds tcp:// and ipc:// only");
  }
  core::IpcListener bound = core::listen_ipc(endpoint, file, k_backlog);
  m_fd = std::move(bound.fd);
  m_guard = std::move(bound.guard);
  m_endpoint = std::move(bound.endpoint);
}

Listener::~Listener() {
  if (m_waiter != nullptr) m_waiter->remove(m_fd.get(), *this);
  m_guard.remove();
}

void Listener::bind_tcp(const std::string& endpoint, const LinkOptions& link) {
  m_tcp = true;
  const TcpAddress address = resolve_tcp(endpoint);
  const int family = address.storage.ss_family;
  m_fd = core::Fd{::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP)};
  if (!m_fd) throw EndpointError(endpoint, errno, "cannot make a socket");
  // As libzmq does: a restart need not wait for old connections, and [::] takes IPv4 as well.
  set_option(m_fd.get(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (family == AF_INET6) set_option(m_fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, 0);
  set_buffers(m_fd.get(), link);  // before listen: the window scale is settled by the handshake
  if (::bind(m_fd.get(), address.get(), address.length) != 0) {
    throw EndpointError(endpoint, errno, "cannot bind");
  }
  if (::listen(m_fd.get(), k_backlog) != 0) throw EndpointError(endpoint, errno, "cannot listen");
  sockaddr_storage bound{};
  socklen_t length = sizeof bound;
  if (::getsockname(m_fd.get(), reinterpret_cast<sockaddr*>(&bound), &length) != 0) {
    throw EndpointError(endpoint, errno, "cannot tell the bound address");
  }
  m_endpoint = tcp_text(bound);
}

void Listener::start(core::Waiter& waiter) {
  waiter.add(m_fd.get(), EPOLLIN, *this);
  m_waiter = &waiter;
}

void Listener::suspend() noexcept {
  if (m_waiter != nullptr) m_waiter->modify(m_fd.get(), 0, *this);
}

void Listener::resume() noexcept {
  if (m_waiter != nullptr) m_waiter->modify(m_fd.get(), EPOLLIN, *this);
}

void Listener::on_ready(std::uint32_t /*events*/) noexcept {
  m_acceptor.on_connection(*this);
}

}  // namespace sluice::sink
