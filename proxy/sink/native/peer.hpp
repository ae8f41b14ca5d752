// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"
#include "core/base/fd.hpp"
#include "core/wait/waiter.hpp"
#include "sink/native/stream.hpp"
#include "sink/native/zmtp/session.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace sluice::sink {

struct Peer;

/// Where a peer's events go: the engine.
class PeerHandler {
 public:
  virtual void on_peer_ready(Peer& peer, std::uint32_t events) noexcept = 0;
  virtual void on_handshake(Peer& peer) = 0;
  virtual void on_subscribe(Peer& peer, zmtp::Bytes topic) = 0;
  virtual void on_cancel(Peer& peer, zmtp::Bytes topic) = 0;
  virtual void on_user_message(Peer& peer, std::span<const std::string> frames) = 0;
  virtual void on_ping(Peer& peer, const zmtp::Ping& ping) = 0;

 protected:
  ~PeerHandler() = default;
};

/// One connection: its socket, its protocol state, what it is still to be sent. The engine owns it
/// and does the work; lives and dies on the loop's thread.
struct Peer final : Stream, core::Watched, zmtp::SessionHandler {
  Peer(PeerHandler& owner, core::Fd socket, const zmtp::SessionLimits& limits)
      : handler(owner), fd(std::move(socket)), session(limits) {}

  void on_ready(std::uint32_t events) noexcept override { handler.on_peer_ready(*this, events); }
  void on_ready() override { handler.on_handshake(*this); }
  void on_subscribe(zmtp::Bytes topic) override { handler.on_subscribe(*this, topic); }
  void on_cancel(zmtp::Bytes topic) override { handler.on_cancel(*this, topic); }
  void on_message(std::span<const std::string> frames) override {
    handler.on_user_message(*this, frames);
  }
  void on_ping(const zmtp::Ping& ping) override { handler.on_ping(*this, ping); }

  PeerHandler& handler;
  core::Fd fd;
  zmtp::Session session;
  std::string address;
  const void* listener = nullptr;  ///< where it came in; compared only
  std::string control;             ///< commands to send, whole frames
  std::size_t control_sent = 0;    ///< of `control`
  std::size_t index = 0;           ///< in the engine's table

  core::Nanoseconds due = core::k_never;  ///< its timer
  core::Nanoseconds accepted_at = 0;
  core::Nanoseconds last_heard = 0;     ///< bytes came
  core::Nanoseconds last_progress = 0;  ///< its socket took bytes after it had been full
  core::Nanoseconds last_ping = 0;
  core::Nanoseconds last_probe = 0;  ///< of its host's answers, see `host_is_gone`
  core::Nanoseconds ttl = 0;         ///< its own wish to be cut after this silence; 0 = none

  std::array<std::byte, zmtp::k_ping_context_max> pong_context{};
  std::uint8_t pong_size = 0;
  bool pong_pending = false;  ///< only the newest PING is answered: any traffic is a sign of life
  bool watches_output = false;
  bool compacted = false;  ///< since it is blocked
  bool tcp = false;
  bool finishing = false;  ///< the sink closes, it has got everything, its end is awaited

  [[nodiscard]] bool has_control() const noexcept { return pong_pending || !control.empty(); }
};

}  // namespace sluice::sink
