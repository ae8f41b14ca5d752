// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/feed/payload.hpp"
#include "app/process/event_fd.hpp"
#include "config/loaded.hpp"
#include "core/base/clock.hpp"
#include "core/base/counter.hpp"

#include <zmq.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace sluice::app {

/// The built-in source: a real inproc XPUB with ZMQ_XPUB_NODROP on a thread of its own, connected
/// to the route's inproc bind. At rate 0 it sends while anybody subscribes and waits when the
/// route takes no more; at a fixed rate what the route does not take is skipped and counted.
/// Messages end as payload.hpp says. Made, stopped and destroyed by one thread.
class Generator {
 public:
  /// Starts. Throws zmq::error_t.
  Generator(zmq::context_t& context, config::GeneratorOptions options, const std::string& endpoint);
  ~Generator();
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  /// Returns at once; any thread.
  void request_stop() noexcept;
  void join();

  [[nodiscard]] const config::GeneratorOptions& options() const noexcept { return m_options; }
  [[nodiscard]] std::uint64_t sent() const noexcept { return m_sent.get(); }
  [[nodiscard]] std::uint64_t skipped() const noexcept { return m_skipped.get(); }

 private:
  struct Topic {
    std::string prefix;
    std::uint64_t sequence = 0;
  };
  enum class Sent : std::uint8_t { yes, full, ended };

  void run() noexcept;
  void flood();
  void keep_pace();
  void burst(std::uint64_t due);
  Sent send_one(bool wait);
  Sent send_frame(zmq::message_t& frame, int flags);
  zmq::message_t make_last_frame(Topic& topic);
  void read_subscriptions();
  void pause_until(core::Nanoseconds deadline, bool subscriptions) noexcept;
  [[nodiscard]] bool stopping() const noexcept;

  config::GeneratorOptions m_options;
  zmq::socket_t m_socket;
  int m_descriptor = -1;  ///< the socket's ZMQ_FD
  EventFd m_stop;
  std::atomic<bool> m_stopping{false};
  std::vector<Topic> m_topics;
  std::size_t m_next_topic = 0;
  std::uint64_t m_source;
  std::int64_t m_subscriptions = 0;
  core::Counter m_sent;
  core::Counter m_skipped;
  std::thread m_thread;
};

}  // namespace sluice::app
