// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/load/ledger.hpp"
#include "app/load/options.hpp"
#include "app/process/event_fd.hpp"
#include "core/base/clock.hpp"
#include "core/base/counter.hpp"
#include "measure/histogram.hpp"

#include <zmq.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace sluice::app::load {

/// A stream and how many messages it has had.
struct StreamTotal {
  std::uint64_t stream = 0;
  std::uint64_t sent = 0;
};

/// Some SUB sockets on one thread, each with its own account of what is missing. Driven by one
/// other thread.
class Subscribers {
 public:
  /// `awaited`: the streams whose probes each socket waits for, which are then followed from their
  /// first message; none: whatever comes is joined where it is. Throws zmq::error_t.
  Subscribers(zmq::context_t& context, const Options& options, unsigned sockets,
              std::vector<std::uint64_t> awaited);
  ~Subscribers();
  Subscribers(const Subscribers&) = delete;
  Subscribers& operator=(const Subscribers&) = delete;

  /// Sockets to which all awaited probes have come.
  [[nodiscard]] unsigned ready() const noexcept { return m_ready.load(); }
  /// Messages of the load received by all sockets.
  [[nodiscard]] std::uint64_t received() const noexcept { return m_received.get(); }
  /// Of the socket that has had the fewest.
  [[nodiscard]] std::uint64_t fewest() const noexcept { return m_fewest.load(); }
  void stop();

  /// After `stop`: what is missing of these streams is lost.
  void account(const std::vector<StreamTotal>& totals);

  // After `stop`.
  [[nodiscard]] const std::vector<std::unique_ptr<Ledger>>& ledgers() const noexcept {
    return m_ledgers;
  }
  [[nodiscard]] const measure::Histogram& latency() const noexcept { return m_latency; }
  [[nodiscard]] std::uint64_t foreign() const noexcept { return m_foreign; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return m_bytes; }
  [[nodiscard]] core::Nanoseconds first() const noexcept { return m_first; }
  [[nodiscard]] core::Nanoseconds last() const noexcept { return m_last; }

 private:
  void run() noexcept;
  void drain(std::size_t socket);
  void take(std::size_t socket, std::span<const std::byte> head, std::span<const std::byte> last,
            core::Nanoseconds unix_now);

  std::vector<std::uint64_t> m_awaited;
  std::vector<zmq::socket_t> m_sockets;
  std::vector<std::unique_ptr<Ledger>> m_ledgers;
  std::vector<std::set<std::uint64_t>> m_probed;
  EventFd m_stop;
  std::atomic<bool> m_stopping{false};
  std::atomic<unsigned> m_ready{0};
  std::atomic<std::uint64_t> m_fewest{0};
  core::Counter m_received;
  measure::Histogram m_latency;
  std::uint64_t m_foreign = 0;
  std::uint64_t m_bytes = 0;
  std::size_t m_size = 0;  // of the message in hand
  bool m_started = false;  // more than probes has come
  core::Nanoseconds m_first = 0;
  core::Nanoseconds m_last = 0;
  std::thread m_thread;
};

}  // namespace sluice::app::load
