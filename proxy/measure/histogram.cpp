// SPDX-License-Identifier: Apache-2.0
#include "measure/histogram.hpp"

#include <charconv>
#include <numeric>

namespace sluice::measure {

void Histogram::merge(const Histogram& other) noexcept {
  for (std::size_t i = 0; i < k_buckets; ++i) m_counts[i] += other.m_counts[i];
}

std::uint64_t Histogram::total() const noexcept {
  return std::accumulate(m_counts.begin(), m_counts.end(), std::uint64_t{0});
}

double Histogram::middle_of(std::size_t index) noexcept {
  if (index < k_sub) return static_cast<double>(index);
  const auto shift = static_cast<unsigned>(index / k_sub) - 1;
  const auto low = (k_sub + index % k_sub) << shift;
  return static_cast<double>(low) + static_cast<double>((std::uint64_t{1} << shift) - 1) / 2.0;
}

double Histogram::quantile_ns(double q) const noexcept {
  const auto all = total();
  if (all == 0) return 0;
  const double wanted = q * static_cast<double>(all - 1);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < k_buckets; ++i) {
    seen += m_counts[i];
    if (static_cast<double>(seen) > wanted) return middle_of(i);
  }
  return middle_of(k_buckets - 1);
}

std::string Histogram::text() const {
  std::string out;
  for (std::size_t i = 0; i < k_buckets; ++i) {
    if (m_counts[i] == 0) continue;
    if (!out.empty()) out += ' ';
    out += std::to_string(i) + ':' + std::to_string(m_counts[i]);
  }
  return out;
}

bool Histogram::parse(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (*at == ' ') {
      ++at;
      continue;
    }
    std::size_t index = 0;
    std::uint64_t count = 0;
    auto read = std::from_chars(at, end, index);
    if (read.ec != std::errc{} || read.ptr == end || *read.ptr != ':' || index >= k_buckets) {
      return false;
    }
    read = std::from_chars(read.ptr + 1, end, count);
    if (read.ec != std::errc{}) return false;
    m_counts[index] += count;
    at = read.ptr;
  }
  return true;
}

}  // namespace sluice::measure
