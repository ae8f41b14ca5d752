// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/feed/payload.hpp"
#include "app/load/options.hpp"
#include "app/process/event_fd.hpp"
#include "core/base/clock.hpp"
#include "core/base/counter.hpp"
#include "measure/histogram.hpp"

#include <zmq.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace sluice::app::load {

/// One publishing socket on a thread of its own: an XPUB, which sees who subscribes. First it sends
/// probes (or waits silently), after `go` its share of the load. A message of a fixed rate carries
/// the time at which it was due, and a late one is sent at once: what the path holds up shows in
/// the latency of everything behind it. Driven by one other thread.
class Publisher {
 public:
  /// What is different for each publisher.
  struct Share {
    unsigned index = 0;
    std::uint64_t rate = 0;   ///< messages/s; 0 = flood
    std::uint64_t count = 0;  ///< messages; 0 = until the duration is over
    core::Nanoseconds offset = 0;
  };

  /// Connects or binds and starts the thread. Throws zmq::error_t.
  Publisher(zmq::context_t& context, const Options& options, const Share& share, bool probe);
  ~Publisher();
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;

  /// "load-4711-0": its streams are named after it.
  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  /// `start` of CLOCK_MONOTONIC.
  void go(core::Nanoseconds start);
  /// Makes it end early; any thread.
  void request_stop() noexcept;

  [[nodiscard]] bool subscribed() const noexcept { return m_subscribed.load(); }
  [[nodiscard]] bool done() const noexcept { return m_done.load(); }
  [[nodiscard]] std::uint64_t sent() const noexcept { return m_sent.get(); }

  // Once it is done.
  [[nodiscard]] const std::vector<std::uint64_t>& sent_by_topic() const noexcept {
    return m_sequences;
  }
  /// What was due when the time was over and had not been sent.
  [[nodiscard]] std::uint64_t unsent() const noexcept { return m_unsent; }
  /// How late the messages of a fixed rate were sent.
  [[nodiscard]] const measure::Histogram& lateness() const noexcept { return m_lateness; }
  [[nodiscard]] core::Nanoseconds ended() const noexcept { return m_ended; }

 private:
  void run() noexcept;
  void prepare();
  void pace();
  void flood();
  bool send_burst(core::Nanoseconds due, std::uint64_t count);
  /// False when it is to stop.
  bool send_message(std::size_t topic, std::uint64_t sequence, core::Nanoseconds due, bool wait);
  bool send_frame(zmq::message_t& frame, int flags, bool wait);
  void read_subscriptions();
  bool sleep_until(core::Nanoseconds time) noexcept;
  [[nodiscard]] bool stopping() const noexcept;

  Options m_options;
  Share m_share;
  bool m_probe;
  std::string m_name;
  zmq::socket_t m_socket;
  EventFd m_wake;
  std::atomic<core::Nanoseconds> m_start{0};  // 0 = not yet
  std::atomic<bool> m_stopping{false};
  std::atomic<bool> m_subscribed{false};
  std::atomic<bool> m_done{false};
  core::Counter m_sent;
  std::uint64_t m_source;
  core::Nanoseconds m_to_unix = 0;  // from CLOCK_MONOTONIC
  std::vector<std::uint64_t> m_sequences;
  std::size_t m_next_topic = 0;
  std::uint64_t m_unsent = 0;
  measure::Histogram m_lateness;
  core::Nanoseconds m_ended = 0;
  std::thread m_thread;
};

}  // namespace sluice::app::load
