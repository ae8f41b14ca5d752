// SPDX-License-Identifier: Apache-2.0
// The native engine takes connections, and sheds those it cannot keep.
#include "sink/native/native_sink.hpp"
#include "sink/native/socket_options.hpp"
#include "sink/native/tcp_address.hpp"

#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <system_error>
#include <utility>

namespace sluice::sink {
namespace {

constexpr int k_accepts_per_wake = 16;
/// Without a spare descriptor the listener rests, else it would be ready all the time.
constexpr core::Nanoseconds k_accept_pause = 100 * core::k_millisecond;

std::string address_of(const Listener& listener, int fd) {
  if (listener.tcp()) {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0) {
      return tcp_text(address);
    }
    return "tcp://?";
  }
  ucred credentials{};
  socklen_t length = sizeof credentials;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return "ipc://?";
  return listener.endpoint() + " pid " + std::to_string(credentials.pid);
}

}  // namespace

void NativeSink::on_connection(Listener& listener) noexcept {
  try {
    for (int i = 0; i < k_accepts_per_wake && accept_one(listener); ++i) {
    }
  } catch (const std::bad_alloc&) {
    log(m_partings[static_cast<std::size_t>(Parting::no_memory)], Severity::warning,
        "a connection is refused: out of memory");
  }
}

/// False when there is none, or none can be taken for now.
bool NativeSink::accept_one(Listener& listener) {
  core::Fd socket{::accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
  if (!socket) {
    switch (errno) {
      case EMFILE:
      case ENFILE:
      case ENOBUFS:
      case ENOMEM:
        shed(listener);
        return false;
      case EINTR:
      case ECONNABORTED:
        return true;
      default:
        return false;
    }
  }
  if (m_options.max_peers != 0 && m_peers.size() >= m_options.max_peers) {
    log(m_partings[static_cast<std::size_t>(Parting::too_many_peers)], Severity::warning,
        "a connection is refused: " + std::string{to_string(Parting::too_many_peers)});
    return true;
  }
  welcome(listener, std::move(socket));
  return true;
}

/// Gives up the spare descriptor for a moment, so that the connection can be taken and closed: its
/// peer sees that, and the listener is not ready for ever.
void NativeSink::shed(Listener& listener) noexcept {
  log(m_partings[static_cast<std::size_t>(Parting::no_descriptor)], Severity::error,
      "connections are shed: no file descriptor is left");
  if (m_spare) {
    m_spare.reset();
    const core::Fd victim{::accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC)};
  }
  m_spare = core::Fd{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
  if (m_spare) return;
  listener.suspend();
  m_accept_again = core::now() + k_accept_pause;
}

void NativeSink::welcome(Listener& listener, core::Fd socket) {
  const int fd = socket.get();
  auto made =
      std::make_unique<Peer>(static_cast<PeerHandler&>(*this), std::move(socket), m_session_limits);
  Peer& peer = *made;
  peer.tcp = listener.tcp();
  peer.listener = &listener;
  if (peer.tcp) {
    tune_tcp(fd, m_options.link, m_options.nodelay);
  } else {
    set_buffers(fd, m_options.link);
  }
  peer.address = address_of(listener, fd);
  peer.accepted_at = peer.last_heard = core::now();
  zmtp::Session::start(peer.control);
  peer.index = m_peers.size();
  m_peers.push_back(std::move(made));
  try {
    m_waiter->add(fd, EPOLLIN | EPOLLRDHUP, peer);
  } catch (const std::system_error&) {
    part(peer, Parting::no_memory);
    return;
  }
  rearm(peer);
  write_now(peer);
}

}  // namespace sluice::sink
