// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/sink.hpp"

namespace sluice::sink {

/// A sink over a libzmq socket of any type that somebody else owns: sending, receiving and waiting
/// for room. The zmq engine and the C call are made of it. On the loop's thread.
class SocketSink : public Sink, public core::Watched {
 public:
  enum class Ways : std::uint8_t {
    as_type,  ///< receives what comes up, where the socket's type can
    down,     ///< only sends
  };

  /// `watch`: as a source where both directions are held (the C call), else other.
  explicit SocketSink(void* socket, core::Waiter::Watch watch = core::Waiter::Watch::other,
                      Ways ways = Ways::as_type);
  ~SocketSink() override;
  SocketSink(const SocketSink&) = delete;
  SocketSink& operator=(const SocketSink&) = delete;

  void open(core::Waiter& waiter) override;
  Offer offer(core::Message& message, Hand hand) noexcept override;
  [[nodiscard]] bool room() const noexcept override { return m_room; }
  [[nodiscard]] int error() const noexcept override { return m_error; }
  bool flush(core::Nanoseconds /*deadline*/) noexcept override { return true; }
  [[nodiscard]] core::Nanoseconds next_time() const noexcept override { return m_next_look; }
  void on_time(core::Nanoseconds now) noexcept override;
  bool receive(core::Message& message) noexcept override;
  [[nodiscard]] bool pending() const noexcept override {
    return (m_pending && !m_muted) || m_error != 0;
  }
  [[nodiscard]] bool look_due() const noexcept override { return m_look_due && !m_muted; }
  /// While muted nothing is received, and its wake-ups are cleared and kept for later.
  void mute(bool on) noexcept {
    m_muted = on;
    if (!on) m_pending = true;
  }
  bool set_on_full(OnFull /*policy*/) noexcept override { return false; }
  void begin_close() noexcept override {}
  void add_endpoint(const std::string& /*endpoint*/) override {}
  void remove_endpoint(const std::string& /*endpoint*/) noexcept override {}
  void retire(core::Nanoseconds /*deadline*/) noexcept override { mute(true); }
  [[nodiscard]] bool closed() const noexcept override { return true; }
  void close(core::Nanoseconds /*linger*/) noexcept override { stop_watching(); }
  [[nodiscard]] SinkStatus status() const override { return {}; }

  void on_ready(std::uint32_t events) noexcept override;

 protected:
  void stop_watching() noexcept;
  /// Whether the last message offered was not taken: the loop keeps it and offers it again.
  [[nodiscard]] bool refused_last() const noexcept { return m_full; }

 private:
  Offer on_full() noexcept;

  void* m_socket;
  core::Waiter::Watch m_watch;
  core::Waiter* m_waiter = nullptr;
  int m_fd = -1;
  bool m_receives;
  bool m_tells_of_room;
  bool m_full = false;
  bool m_room = true;
  bool m_pending = true;
  bool m_look_due = false;
  bool m_muted = false;
  // While full: when to look again, and the pause after that.
  core::Nanoseconds m_next_look = core::k_never;
  core::Nanoseconds m_pause = 0;
  int m_error = 0;
  std::size_t m_sent_frames = 0;
};

}  // namespace sluice::sink
