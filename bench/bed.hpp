// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/histogram.hpp"
#include "memory.hpp"
#include "path.hpp"
#include "process/child.hpp"
#include "receiver/options.hpp"
#include "receivers.hpp"
#include "socket.hpp"
#include "source.hpp"
#include "usage.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::bench {

using measure::Histogram;

struct Setup {
  std::string variant;
  PathOptions path;
  Load load;
  ReceiverOptions receiver;  ///< `sources` and `endpoints` are filled in by the bed
  int source_hwm = 1000;
  std::chrono::milliseconds round_gap{2};  ///< between one round's end and the next
};

/// What a measurement found out.
struct Outcome {
  double seconds = 0;  ///< from the first message sent to the last one received
  std::uint64_t sent = 0;
  std::uint64_t delivered = 0;  ///< by all subscribers together
  std::uint64_t lost = 0;
  std::uint64_t disorder = 0;
  Histogram latency;
  Histogram first;  ///< of all subscribers, when rounds are kept
  Histogram last;
  Spent spent;
  /// Where the path is a process of its own: what that one has used up.
  struct Intermediary {
    double cpu_ns = 0;
    ProcessMemory memory;
  };
  std::optional<Intermediary> intermediary;
  PathCounters counters;
};

/// One measurement: sources, the path and a receiver process. The constructor returns when
/// everything is connected, every subscription has reached every source, and nothing moves. Used
/// by one thread.
class Bed {
 public:
  explicit Bed(Setup setup);
  ~Bed();
  Bed(const Bed&) = delete;
  Bed& operator=(const Bed&) = delete;

  /// Sends the load and returns when what the path lets through has arrived.
  [[nodiscard]] Outcome measure();
  /// The same, and calls `meanwhile` again and again while the load lasts.
  [[nodiscard]] Outcome measure(const std::function<void(Path&)>& meanwhile);
  /// Load of kind rounds: one message after the other, each when all subscribers have had the one
  /// before.
  [[nodiscard]] Outcome measure_rounds();

  /// What the subscribers' arrival added to this process's memory, all of them together.
  [[nodiscard]] const Memory& subscribers_memory() const noexcept { return m_memory; }

 private:
  void open_sources();
  [[nodiscard]] std::unique_ptr<Outlet> make_outlet(std::size_t index);
  void open_receivers();
  void wait_probed();
  void begin();
  [[nodiscard]] Outcome finish();
  [[nodiscard]] Report collect(const std::vector<std::uint64_t>& sent);

  Setup m_setup;
  Context m_context;
  std::unique_ptr<Path> m_path;
  std::vector<std::unique_ptr<Source>> m_sources;
  std::unique_ptr<Receivers> m_receivers;
  std::vector<pid_t> m_forwarding;
  Memory m_memory;
  Usage m_before;
  PathCounters m_counters_before;
  std::int64_t m_process_cpu_before_ns = 0;
  std::int64_t m_begin_ns = 0;
};

}  // namespace sluice::bench
