// SPDX-License-Identifier: Apache-2.0
#include "receiver/tally.hpp"

#include <utility>

namespace sluice::bench {

Tally::Tally(std::size_t subscribers, std::size_t probed_idle, std::size_t sources, bool rounds)
    : m_subscribers(subscribers),
      m_sources(sources),
      m_rounds(rounds),
      m_next(subscribers * sources),
      m_probes_seen((subscribers + probed_idle) * sources),
      m_probes_missing(m_probes_seen.size()),
      m_open_rounds(rounds ? k_open_rounds : 0) {}

void Tally::on_probe(std::size_t subscriber, std::size_t source) noexcept {
  const auto at = subscriber * m_sources + source;
  if (m_probes_seen[at]) return;
  m_probes_seen[at] = true;
  --m_probes_missing;
}

void Tally::on_round(const Header& header, std::int64_t now_ns) noexcept {
  auto& round = m_open_rounds[header.sequence % k_open_rounds];
  if (round.sequence != header.sequence || round.arrivals == 0) {
    round = Round{header.sequence, 0, now_ns};
  }
  if (++round.arrivals != m_subscribers) return;
  m_first.add(round.first_ns - header.sent_ns);
  m_last.add(now_ns - header.sent_ns);
  round.arrivals = 0;
  ++m_rounds_done;
}

std::size_t Tally::take_rounds() noexcept {
  return std::exchange(m_rounds_done, 0);
}

}  // namespace sluice::bench
