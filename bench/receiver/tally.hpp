// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/histogram.hpp"
#include "payload.hpp"

#include <cstdint>
#include <vector>

namespace sluice::bench {

using measure::Histogram;

/// What the subscribers of a receiver process have got: counts, gaps, order, latency. Used by one
/// thread.
class Tally {
 public:
  Tally(std::size_t subscribers, std::size_t probed_idle, std::size_t sources, bool rounds);

  /// One whole message for `subscriber`; the idle ones come after the others.
  void on_message(std::size_t subscriber, const Header& header, std::size_t size,
                  std::int64_t now_ns) noexcept {
    if (header.source >= m_sources || subscriber >= m_probes_seen.size() / m_sources) return;
    if (header.kind != k_data) {
      on_probe(subscriber, header.source);
      return;
    }
    if (subscriber >= m_subscribers) return;
    auto& next = m_next[subscriber * m_sources + header.source];
    if (header.sequence < next) {
      ++m_disorder;
      return;
    }
    m_progress += header.sequence + 1 - next;
    next = header.sequence + 1;
    ++m_messages;
    m_bytes += size;
    m_last_ns = now_ns;
    if (header.sent_ns != 0) m_latency.add(now_ns - header.sent_ns);
    if (m_rounds) on_round(header, now_ns);
  }

  /// Every subscriber has had a probe of every source.
  [[nodiscard]] bool probed() const noexcept { return m_probes_missing == 0; }

  /// How many messages all subscribers have had since the last call; when rounds are kept.
  [[nodiscard]] std::size_t take_rounds() noexcept;
  /// From sending a message to its first and its last arrival; messages that all have had.
  [[nodiscard]] const Histogram& first() const noexcept { return m_first; }
  [[nodiscard]] const Histogram& last() const noexcept { return m_last; }

  /// Messages that arrived or whose successor did.
  [[nodiscard]] std::uint64_t progress() const noexcept { return m_progress; }
  [[nodiscard]] std::uint64_t messages() const noexcept { return m_messages; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return m_bytes; }
  /// Messages that came twice or after a later one.
  [[nodiscard]] std::uint64_t disorder() const noexcept { return m_disorder; }
  [[nodiscard]] std::int64_t last_ns() const noexcept { return m_last_ns; }
  [[nodiscard]] const Histogram& latency() const noexcept { return m_latency; }
  [[nodiscard]] std::size_t subscribers() const noexcept { return m_subscribers; }

 private:
  void on_probe(std::size_t subscriber, std::size_t source) noexcept;
  void on_round(const Header& header, std::int64_t now_ns) noexcept;

  std::size_t m_subscribers;
  std::size_t m_sources;
  bool m_rounds;
  std::vector<std::uint64_t> m_next;
  std::vector<bool> m_probes_seen;
  std::size_t m_probes_missing;
  std::uint64_t m_progress = 0;
  std::uint64_t m_messages = 0;
  std::uint64_t m_bytes = 0;
  std::uint64_t m_disorder = 0;
  std::int64_t m_last_ns = 0;
  struct Round {
    std::uint64_t sequence = 0;
    std::size_t arrivals = 0;
    std::int64_t first_ns = 0;
  };
  // The messages on their way; one that is overtaken by this many others is not kept.
  static constexpr std::size_t k_open_rounds = 1024;
  std::vector<Round> m_open_rounds;
  std::size_t m_rounds_done = 0;
  Histogram m_latency;
  Histogram m_first;
  Histogram m_last;
};

}  // namespace sluice::bench
