// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"
#include "core/wait/waiter.hpp"
#include "core/zmq/message.hpp"
#include "sink/environment.hpp"
#include "sink/native/engine.hpp"
#include "sink/sink.hpp"

#include <sluice/options.hpp>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sluice::test {

using Parts = std::vector<std::string>;

/// A native sink on a bare waiter loop in a thread of its own, as a route would run it. Everything
/// here may be called from the test's thread.
class EngineHost final : core::Watched {
 public:
  explicit EngineHost(const SinkOptions& options, std::size_t max_subscriptions = 1'000'000);
  ~EngineHost();
  EngineHost(const EngineHost&) = delete;
  EngineHost& operator=(const EngineHost&) = delete;

  /// Runs on the loop's thread between its turns, and waits for it.
  void call(const std::function<void(sink::Sink&)>& task);
  /// Queues a message; the loop offers it as soon as the ones before are taken.
  void publish(Parts parts);
  void publish_many(std::size_t count, const std::function<Parts(std::size_t)>& make);
  /// Messages not taken yet.
  [[nodiscard]] std::size_t waiting() const noexcept { return m_waiting.load(); }

  [[nodiscard]] SinkStatus status();
  [[nodiscard]] std::string endpoint(std::size_t i = 0);
  /// What came up so far: frames joined by '|'.
  [[nodiscard]] std::vector<std::string> upstream();
  [[nodiscard]] std::vector<std::string> events();
  /// CPU time of the loop's thread.
  [[nodiscard]] std::chrono::nanoseconds cpu();
  /// Waits until the sink has this many peers, topics.
  [[nodiscard]] bool peers(std::size_t count);
  [[nodiscard]] bool subscriptions(std::size_t count);

  void on_ready(std::uint32_t events) noexcept override;

 private:
  void run();
  void turn();
  void offer();
  void wake() const noexcept;

  sink::Environment m_environment;
  core::Waiter m_waiter;
  std::unique_ptr<sink::Sink> m_sink;
  core::Fd m_wake;
  std::mutex m_mutex;
  std::deque<std::function<void()>> m_tasks;
  std::deque<Parts> m_messages;
  core::Message m_in_hand;
  bool m_has_in_hand = false;
  std::atomic<std::size_t> m_waiting{0};
  std::vector<std::string> m_upstream;
  std::vector<std::string> m_events;
  std::atomic<bool> m_stop{false};
  std::thread m_thread;
};

/// Fills an empty message.
void fill(core::Message& message, const Parts& parts);

}  // namespace sluice::test
