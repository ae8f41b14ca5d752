// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outlet/outlet.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

namespace sluice::bench {

/// What a source sends once it is told to go.
struct Load {
  enum class Kind : std::uint8_t {
    flood,   ///< as fast as the path takes
    paced,   ///< at a fixed rate
    rounds,  ///< one message for each `send_one`
  };
  Kind kind = Kind::flood;
  std::size_t size = 100;   ///< bytes of a message, k_header_size at least
  std::uint64_t rate = 0;   ///< paced: messages a second
  std::uint64_t burst = 1;  ///< paced: messages due at the same moment
  std::chrono::nanoseconds duration{0};
  /// Every how many messages one carries its time; paced loads carry the time each was due.
  std::uint32_t time_every = 64;
  std::chrono::nanoseconds probe_interval = std::chrono::milliseconds{5};
};

/// A publisher on a thread of its own, which waits when its outlet is full. First it sends probes;
/// after `go` it sends its load, numbered from 0, and ends. Driven by one other thread.
class Source {
 public:
  Source(std::uint16_t index, std::unique_ptr<Outlet> outlet);
  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  [[nodiscard]] const std::string& endpoint() const noexcept { return m_outlet->endpoint(); }

  /// Starts the thread, which sends probes.
  void start(const Load& load);
  /// No probe is sent after the return.
  void end_probes();
  /// `start_ns` of CLOCK_MONOTONIC is when the first message of a paced load is due.
  void go(std::int64_t start_ns);
  /// Rounds: sends one message soon.
  void send_one();
  /// Makes a load end early.
  void cancel() noexcept;
  /// Returns when the load has been sent.
  void join();

  /// Messages sent; exact after `join`.
  [[nodiscard]] std::uint64_t sent() const noexcept {
    return m_sent.load(std::memory_order_relaxed);
  }

 private:
  enum Phase : std::uint8_t { probing, quiet, running };

  void run();
  void probe();
  void flood();
  void paced();
  void rounds();
  bool send(std::int64_t sent_ns, std::uint16_t kind);
  bool flush();

  std::unique_ptr<Outlet> m_outlet;
  std::uint16_t m_index;
  Load m_load;
  std::int64_t m_start_ns = 0;
  std::string m_filler;
  std::uint64_t m_sequence = 0;
  std::atomic<std::uint64_t> m_sent{0};
  std::atomic<Phase> m_phase{probing};
  std::atomic<std::uint32_t> m_rounds{0};
  std::atomic<bool> m_probes_ended{false};
  std::atomic<bool> m_cancelled{false};
  std::thread m_thread;
};

}  // namespace sluice::bench
