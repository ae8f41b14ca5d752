// SPDX-License-Identifier: Apache-2.0
// The native engine's clockwork: handshakes, heartbeats, hosts that vanished, the end.
#include "sink/native/native_sink.hpp"

#include <algorithm>
#include <cstddef>
#include <fcntl.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace sluice::sink {
namespace {

constexpr int k_timers_per_call = 256;
constexpr core::Nanoseconds k_tidy_slice = 500 * core::k_microsecond;
constexpr core::Nanoseconds k_probe_interval = core::k_second;
/// After this time without progress a peer's queue is compacted.
constexpr core::Nanoseconds k_stuck = core::k_second;
constexpr core::Nanoseconds k_finish_poll = core::k_millisecond;

/// Whether the peer's kernel has stopped to answer for `patience`. TCP_USER_TIMEOUT would do more
/// than that: since Linux 5.11 it also ends a connection whose reader is merely slow and has kept
/// its window closed for that long. So the kernel's own record is asked: nothing was acknowledged
/// for long although something was sent and sent again.
bool host_is_gone(int fd, core::Nanoseconds patience) noexcept {
  tcp_info info{};
  socklen_t length = sizeof info;
  if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return false;
  return info.tcpi_last_ack_recv * core::k_millisecond > patience &&
         (info.tcpi_retransmits >= 2 || info.tcpi_probes >= 2);
}

}  // namespace

bool NativeSink::heartbeats(const Peer& peer) const noexcept {
  // Under block, and where the application is slow on purpose, a PONG may sit behind stopped input
  // for as long as it likes.
  return m_fanout.policy() != OnFull::block && m_heartbeat_interval > 0 &&
         (peer.session.understands_ping() || peer.blocked);
}

core::Nanoseconds NativeSink::due(const Peer& peer) const noexcept {
  if (!peer.session.ready()) {
    const core::Nanoseconds patience = core::to_ns(m_options.handshake_timeout);
    return patience > 0 ? peer.accepted_at + patience : core::k_never;
  }
  core::Nanoseconds when = core::k_never;
  if (peer.ttl > 0) when = peer.last_heard + peer.ttl;
  if (heartbeats(peer)) {
    const core::Nanoseconds alive = std::max(peer.last_heard, peer.last_progress);
    when = std::min({when, alive + m_heartbeat_timeout,
                     std::max(alive, peer.last_ping) + m_heartbeat_interval});
  }
  if (peer.blocked && !peer.compacted) when = std::min(when, peer.last_progress + k_stuck);
  if (peer.blocked && peer.tcp && m_options.link.tcp_user_timeout.count() > 0) {
    when = std::min(when, peer.last_probe + k_probe_interval);
  }
  return when;
}

void NativeSink::rearm(Peer& peer) {
  m_timers.set(peer, peer.due, due(peer));
}

void NativeSink::run_timer(Peer& peer, core::Nanoseconds now) {
  if (due(peer) > now) return rearm(peer);  // it gave signs of life since
  if (!peer.session.ready()) return part(peer, Parting::handshake_timeout);
  if (peer.ttl > 0 && now >= peer.last_heard + peer.ttl) return part(peer, Parting::silent);
  if (heartbeats(peer)) {
    const core::Nanoseconds alive = std::max(peer.last_heard, peer.last_progress);
    if (now >= alive + m_heartbeat_timeout) return part(peer, Parting::silent);
    if (now >= std::max(alive, peer.last_ping) + m_heartbeat_interval) {
      peer.last_ping = now;
      if (!peer.blocked && peer.control.empty()) zmtp::append_ping(peer.control);
      write_now(peer);
      if (!peer.fd) return;
    }
  }
  if (peer.blocked && !peer.compacted && now >= peer.last_progress + k_stuck) {
    peer.compacted = true;
    Fanout::compact(peer);
  }
  if (peer.blocked && peer.tcp && now >= peer.last_probe + k_probe_interval) {
    peer.last_probe = now;
    const core::Nanoseconds patience = core::to_ns(m_options.link.tcp_user_timeout);
    if (patience > 0 && host_is_gone(peer.fd.get(), patience)) {
      return part(peer, Parting::host_gone);
    }
  }
  rearm(peer);
}

core::Nanoseconds NativeSink::next_time() const noexcept {
  core::Nanoseconds when = std::min({m_timers.next(), m_fanout.tidy_at(), m_accept_again});
  if (m_fanout.blocker() != nullptr && m_options.block_timeout.count() > 0) {
    when = std::min(when, m_full_since + core::to_ns(m_options.block_timeout));
  }
  return std::min(when, m_finish_at);
}

void NativeSink::on_time(core::Nanoseconds now) noexcept {
  reap();
  for (int i = 0; i < k_timers_per_call && m_timers.next() <= now; ++i) {
    run_timer(m_timers.front(), now);
  }
  if (m_fanout.tidy_at() <= now) m_fanout.tidy(now, core::now() + k_tidy_slice);
  if (m_accept_again <= now) {
    m_accept_again = core::k_never;
    if (!m_spare) m_spare = core::Fd{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
    for (auto& listener : m_listeners) listener->resume();
  }
  check_blocker(now);
  if (m_finish_at <= now) finish_some(now);
}

void NativeSink::check_blocker(core::Nanoseconds now) noexcept {
  const core::Nanoseconds patience = core::to_ns(m_options.block_timeout);
  if (patience <= 0 || m_fanout.blocker() == nullptr || m_fanout.room()) return;
  if (now >= m_full_since + patience) {
    part(static_cast<Peer&>(*m_fanout.blocker()), Parting::block_timeout);
  }
}

void NativeSink::begin_close() noexcept {
  if (m_closing) return;
  m_closing = true;
  m_listeners.clear();
  m_spare.reset();
  m_accept_again = core::k_never;
  for (std::size_t i = m_peers.size(); i-- > 0;) {
    if (!m_peers[i]->session.ready()) part(*m_peers[i], Parting::sink_closed);
  }
  finish_some(core::now());
}

void NativeSink::retire(core::Nanoseconds /*deadline*/) noexcept {
  m_retired = true;
  m_outstanding = false;
  m_upstream = {};
  begin_close();
}

/// Lets go of those that have got everything. Closing a TCP socket at once could lose what its
/// peer's kernel has not got yet: a byte that comes from the peer afterwards resets the connection.
/// So our end is shut, and the socket closed once the peer has closed or acknowledged everything.
void NativeSink::finish_some(core::Nanoseconds now) noexcept {
  for (std::size_t i = m_peers.size(); i-- > 0;) {
    Peer& peer = *m_peers[i];
    if (!peer.finishing) {
      if (m_outstanding || Fanout::has_data(peer) || peer.has_control()) continue;
      peer.finishing = true;
      ::shutdown(peer.fd.get(), SHUT_WR);
    }
    int unsent = 0;
    if (!peer.tcp || ::ioctl(peer.fd.get(), SIOCOUTQ, &unsent) != 0 || unsent == 0) {
      part(peer, Parting::sink_closed);
    }
  }
  m_finish_at = m_peers.empty() ? core::k_never : now + k_finish_poll;
}

/// What is still undelivered then is lost, but for what the kernel holds.
void NativeSink::close(core::Nanoseconds /*linger*/) noexcept {
  begin_close();
  while (!m_peers.empty()) part(*m_peers.back(), Parting::sink_closed);
  m_finish_at = core::k_never;
  reap();
}

}  // namespace sluice::sink
