// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"
#include "core/base/counter.hpp"

#include <sluice/statistics.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <tuple>

namespace sluice::core {

inline constexpr std::size_t k_latency_buckets = std::tuple_size_v<decltype(TimeCounts::by_bucket)>;

/// Times by their order of magnitude. Written by one thread, read by any.
class LatencyHistogram {
 public:
  void record(Nanoseconds time) noexcept {
    const auto ns = static_cast<std::uint64_t>(time > 0 ? time : 0);
    m_counts[bucket_of(ns)].add(1);
    m_sum_ns.add(ns);
  }
  [[nodiscard]] TimeCounts read() const noexcept {
    TimeCounts counts;
    for (std::size_t i = 0; i < m_counts.size(); ++i) counts.by_bucket[i] = m_counts[i].get();
    counts.sum_ns = m_sum_ns.get();
    return counts;
  }

  /// The bucket that holds a time: the first whose end is not before it.
  [[nodiscard]] static constexpr std::size_t bucket_of(std::uint64_t ns) noexcept {
    const std::uint64_t us = (ns + 999) / 1000;
    const auto bucket = us <= 1 ? 0U : static_cast<unsigned>(std::bit_width(us - 1));
    return bucket < k_latency_buckets ? bucket : k_latency_buckets - 1;
  }

 private:
  std::array<Counter, k_latency_buckets> m_counts;
  Counter m_sum_ns;
};

}  // namespace sluice::core
