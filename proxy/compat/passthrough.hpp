// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compat/socket_pair.hpp"
#include "core/base/timed.hpp"
#include "core/loop/frontend.hpp"
#include "core/loop/loop_counters.hpp"
#include "core/loop/tap.hpp"
#include "core/loop/upstream.hpp"
#include "sink/zmq/socket_sink.hpp"

#include <cstddef>

namespace sluice::compat {

/// Upstream of the C call: hands what the backend receives to the frontend, unchanged and copied to
/// the capture socket. On an XSUB, subscriptions to topics that are too long stay behind, together
/// with their cancellations: libzmq's trie recurses once per byte. While the frontend has no room
/// the backend is muted. On the loop's thread; borrows everything.
class Passthrough final : public core::Upstream, public core::Timed {
 public:
  Passthrough(core::LoopCounters& counters, std::size_t max_topic) noexcept
      : m_counters(counters), m_max_topic(max_topic) {}

  /// Before the loop runs. `tap` may be null.
  void attach(core::Frontend& frontend, sink::SocketSink& backend, core::Tap* tap,
              const SocketPair& pair) noexcept;

  /// PAUSE, where what comes up is data.
  void pause(bool on) noexcept;

  Sent take(std::size_t sink, core::Message& message) noexcept override;
  [[nodiscard]] bool room() noexcept override;
  [[nodiscard]] core::Nanoseconds next_time() const noexcept override;
  void on_time(core::Nanoseconds now) noexcept override;

 private:
  [[nodiscard]] bool is_too_long(const core::Message& message) const noexcept;
  void mute() noexcept { m_backend->mute(m_full || m_paused); }

  core::LoopCounters& m_counters;
  std::size_t m_max_topic;
  core::Frontend* m_frontend = nullptr;
  sink::SocketSink* m_backend = nullptr;
  core::Tap* m_tap = nullptr;
  bool m_checks_topics = false;
  bool m_drops = false;
  bool m_paused = false;
  bool m_full = false;  // a message is in hand that the frontend had no room for
};

}  // namespace sluice::compat
