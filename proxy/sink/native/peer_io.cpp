// SPDX-License-Identifier: Apache-2.0
// The native engine reads from and writes to its peers.
#include "sink/native/gather.hpp"
#include "sink/native/native_sink.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace sluice::sink {

void NativeSink::on_peer_ready(Peer& peer, std::uint32_t events) noexcept {
  if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) read(peer);
  if ((events & EPOLLOUT) == 0 || !peer.fd) return;
  peer.last_progress = core::now();
  switch (write(peer)) {
    case Wrote::all:
      unblock(peer);
      break;
    case Wrote::more:
    case Wrote::blocked:  // stays armed: the next wait comes back to it after the others
    case Wrote::gone:
      break;
  }
}

void NativeSink::read(Peer& peer) noexcept {
  // What one turn reads is bounded, so that a storm of subscriptions does not hold up commands,
  // and so is what waits to be taken upstream; the rest stays ready.
  const std::size_t size = std::min(m_input->size(), m_read_budget);
  if (size == 0 || m_upstream.full()) return;
  const ssize_t got = ::recv(peer.fd.get(), m_input->data(), size, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    part(peer, Parting::peer_left);
    return;
  }
  const auto count = static_cast<std::size_t>(got);
  m_read_budget -= count;
  peer.last_heard = core::now();
  if (peer.finishing) return;
  zmtp::Refusal refusal = zmtp::Refusal::none;
  try {
    refusal = peer.session.feed(zmtp::Bytes{m_input->data(), count}, peer, peer.control);
    if (peer.group != nullptr) m_fanout.settle(peer);
  } catch (const std::bad_alloc&) {
    part(peer, Parting::no_memory);
    return;
  }
  if (refusal != zmtp::Refusal::none) {
    if (peer.has_control()) static_cast<void>(write(peer));  // the ERROR, as far as it goes
    if (peer.fd) part(peer, parting_of(refusal));
    return;
  }
  if (peer.has_control()) write_now(peer);
}

/// One gathered write. Commands go between messages only.
NativeSink::Wrote NativeSink::write(Peer& peer) noexcept {
  if (peer.pong_pending && peer.control.empty()) {
    zmtp::append_pong(peer.control, zmtp::Bytes{peer.pong_context}.first(peer.pong_size));
    peer.pong_pending = false;
  }
  Gather gather{m_options.out_batch};
  std::size_t control = 0;
  if (!peer.control.empty() && (peer.control_sent != 0 || peer.cursor.between_messages())) {
    gather.add(std::string_view{peer.control}.substr(peer.control_sent));
    control = gather.bytes();
  }
  gather.add(peer.cursor, control == 0 && !peer.control.empty());
  if (gather.empty()) return Wrote::all;
  msghdr header{};
  header.msg_iov = gather.data();
  header.msg_iovlen = gather.pieces();
  const ssize_t put = ::sendmsg(peer.fd.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (put < 0) {
    if (errno == EAGAIN || errno == EINTR || errno == ENOBUFS || errno == ENOMEM) {
      block(peer);
      return Wrote::blocked;
    }
    part(peer, Parting::peer_left);
    return Wrote::gone;
  }
  const auto count = static_cast<std::size_t>(put);
  const std::size_t of_control = std::min(count, control);
  peer.control_sent += of_control;
  if (peer.control_sent == peer.control.size()) {
    if (peer.control.capacity() > zmtp::k_greeting_size) std::string{}.swap(peer.control);
    peer.control.clear();
    peer.control_sent = 0;
  }
  const bool done = m_fanout.sent(peer, count - of_control) && !peer.has_control();
  if (count < gather.bytes()) {
    block(peer);
    return Wrote::blocked;
  }
  return done ? Wrote::all : Wrote::more;
}

/// For commands: outside of a pass over all.
void NativeSink::write_now(Peer& peer) noexcept {
  if (peer.blocked) return;
  if (write(peer) == Wrote::more) m_fanout.make_ready(peer);
}

void NativeSink::block(Peer& peer) noexcept {
  if (peer.watches_output) return;
  peer.blocked = peer.watches_output = true;
  m_fanout.make_unready(peer);
  m_waiter->modify(peer.fd.get(), EPOLLIN | EPOLLRDHUP | EPOLLOUT, peer);
  peer.compacted = false;
  peer.last_progress = peer.last_probe = core::now();
  rearm(peer);
}

void NativeSink::unblock(Peer& peer) noexcept {
  if (!peer.watches_output) return;
  peer.blocked = peer.watches_output = false;
  m_waiter->modify(peer.fd.get(), EPOLLIN | EPOLLRDHUP, peer);
}

void NativeSink::part(Peer& peer, Parting why) noexcept {
  auto& count = m_partings[static_cast<std::size_t>(why)];
  if (why == Parting::peer_left || why == Parting::sink_closed) {
    static_cast<void>(count.note(0));
    if (peer.session.ready()) tell(peer, "left");
  } else {
    log(count, Severity::warning, "subscriber " + peer.address + " is cut: " + to_string(why));
  }
  m_waiter->remove(peer.fd.get(), peer);
  peer.fd.reset();
  m_fanout.make_unready(peer);
  m_timers.set(peer, peer.due, core::k_never);
  if (peer.group != nullptr) {
    m_dropped_by_gone += peer.group->dropped(peer);
    m_fanout.leave(peer);
  }
  if (peer.session.ready()) --m_handshaken;
  auto& mine = m_peers[peer.index];
  m_graveyard.push_back(std::move(mine));
  if (&mine != &m_peers.back()) {
    mine = std::move(m_peers.back());
    mine->index = peer.index;
  }
  m_peers.pop_back();
}

void NativeSink::on_handshake(Peer& peer) {
  ++m_handshaken;
  tell(peer, "joined");
  m_fanout.join(peer);
  rearm(peer);
}

void NativeSink::on_subscribe(Peer& peer, zmtp::Bytes topic) {
  if (m_fanout.subscribe(peer, topic) == Fanout::Subscribed::done) return;
  log(m_refused_topics, Severity::warning,
      "a subscription of " + peer.address + " is refused: max_subscriptions is reached");
}

void NativeSink::on_cancel(Peer& peer, zmtp::Bytes topic) {
  m_fanout.cancel(peer, topic);
}

void NativeSink::on_user_message(Peer& peer, std::span<const std::string> frames) {
  if (m_retired || m_upstream.push_message(frames)) return;
  log(m_lost_upstream, Severity::warning, "messages from " + peer.address + " are lost");
}

void NativeSink::on_ping(Peer& peer, const zmtp::Ping& ping) {
  peer.pong_size = static_cast<std::uint8_t>(ping.context.size());
  std::copy(ping.context.begin(), ping.context.end(), peer.pong_context.begin());
  peer.pong_pending = true;
  const core::Nanoseconds ttl = ping.ttl_tenths * 100 * core::k_millisecond;
  if (peer.ttl == ttl) return;
  peer.ttl = ttl;
  rearm(peer);
}

}  // namespace sluice::sink
