// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"
#include "sink/environment.hpp"
#include "sink/native/fanout.hpp"
#include "sink/native/listener.hpp"
#include "sink/native/parting.hpp"
#include "sink/native/peer.hpp"
#include "sink/native/rate_log.hpp"
#include "sink/native/timer_queue.hpp"
#include "sink/native/upstream_queue.hpp"
#include "sink/sink.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sluice::sink {

/// The native engine behind Sink: sockets, peers and their timers around a Fanout. All on the
/// loop's thread; a peer that is let go is destroyed at the next safe point (`reap`).
class NativeSink final : public Sink, Acceptor, PeerHandler, FanoutHandler {
 public:
  NativeSink(const SinkOptions& options, const Environment& environment);
  ~NativeSink() override;
  NativeSink(const NativeSink&) = delete;
  NativeSink& operator=(const NativeSink&) = delete;

  void open(core::Waiter& waiter) override;
  Offer offer(core::Message& message, Hand hand) noexcept override;
  [[nodiscard]] bool room() const noexcept override { return m_fanout.room(); }
  [[nodiscard]] int error() const noexcept override { return 0; }
  bool flush(core::Nanoseconds deadline) noexcept override;
  bool receive(core::Message& message) noexcept override;
  [[nodiscard]] bool pending() const noexcept override { return !m_upstream.empty(); }
  [[nodiscard]] bool look_due() const noexcept override { return false; }
  [[nodiscard]] core::Nanoseconds next_time() const noexcept override;
  void on_time(core::Nanoseconds now) noexcept override;
  bool set_on_full(OnFull policy) noexcept override;
  void begin_close() noexcept override;
  void add_endpoint(const std::string& endpoint) override;
  void remove_endpoint(const std::string& endpoint) noexcept override;
  void retire(core::Nanoseconds deadline) noexcept override;
  [[nodiscard]] bool closed() const noexcept override { return m_closing && m_peers.empty(); }
  void close(core::Nanoseconds linger) noexcept override;
  [[nodiscard]] SinkStatus status() const override;

 private:
  enum class Wrote : std::uint8_t { all, more, blocked, gone };

  // FanoutHandler
  void on_topic(bool subscribed, std::string topic) override;
  void on_relieve(Stream& stream) noexcept override;
  void on_fall_off(Stream& stream) noexcept override;
  void on_disconnect(Stream& stream) noexcept override;
  // Acceptor
  void on_connection(Listener& listener) noexcept override;
  // PeerHandler
  void on_peer_ready(Peer& peer, std::uint32_t events) noexcept override;
  void on_handshake(Peer& peer) override;
  void on_subscribe(Peer& peer, zmtp::Bytes topic) override;
  void on_cancel(Peer& peer, zmtp::Bytes topic) override;
  void on_user_message(Peer& peer, std::span<const std::string> frames) override;
  void on_ping(Peer& peer, const zmtp::Ping& ping) override;

  // accept.cpp
  bool accept_one(Listener& listener);
  void shed(Listener& listener) noexcept;
  void welcome(Listener& listener, core::Fd socket);

  // peer_io.cpp
  void read(Peer& peer) noexcept;
  Wrote write(Peer& peer) noexcept;
  void write_now(Peer& peer) noexcept;
  void block(Peer& peer) noexcept;
  void unblock(Peer& peer) noexcept;
  void part(Peer& peer, Parting why) noexcept;
  void reap() noexcept { m_graveyard.clear(); }

  // timers.cpp
  [[nodiscard]] bool heartbeats(const Peer& peer) const noexcept;
  [[nodiscard]] core::Nanoseconds due(const Peer& peer) const noexcept;
  void rearm(Peer& peer);
  void run_timer(Peer& peer, core::Nanoseconds now);
  void check_blocker(core::Nanoseconds now) noexcept;
  void finish_some(core::Nanoseconds now) noexcept;

  void tell(const Peer& peer, const char* what) const noexcept;
  void log(RateLog& rate, Severity severity, const std::string& text) const noexcept;

  SinkOptions m_options;
  const Environment& m_environment;
  core::Nanoseconds m_heartbeat_interval;
  core::Nanoseconds m_heartbeat_timeout;
  zmtp::SessionLimits m_session_limits;
  Fanout m_fanout;
  UpstreamQueue m_upstream;

  core::Waiter* m_waiter = nullptr;
  std::vector<std::unique_ptr<Listener>> m_listeners;
  std::vector<std::string> m_endpoints;
  core::Fd m_spare;  // given up for a moment to shed a connection at the descriptor limit
  core::Nanoseconds m_accept_again = core::k_never;

  std::vector<std::unique_ptr<Peer>> m_peers;
  std::vector<std::unique_ptr<Peer>> m_graveyard;
  TimerQueue<Peer> m_timers;
  std::unique_ptr<std::array<std::byte, 32U << 10>> m_input;
  std::size_t m_read_budget = 0;
  std::size_t m_handshaken = 0;

  core::Nanoseconds m_now = 0;  // of the burst
  bool m_now_is_old = true;
  core::Nanoseconds m_full_since = 0;
  bool m_closing = false;
  bool m_retired = false;
  bool m_outstanding = false;  // the last message offered was not taken: it may come again
  core::Nanoseconds m_finish_at = core::k_never;

  std::uint64_t m_dropped_by_gone = 0;
  mutable std::array<RateLog, k_partings> m_partings;
  mutable RateLog m_drops;
  mutable RateLog m_refused_topics;
  mutable RateLog m_lost_upstream;
};

}  // namespace sluice::sink
