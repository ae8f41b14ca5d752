// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::measure {

/// Counts of durations in nanoseconds, kept with a relative error under 1/64. A plain value.
class Histogram {
 public:
  void add(std::int64_t ns) noexcept { m_counts[index_of(ns)] += 1; }
  void merge(const Histogram& other) noexcept;

  [[nodiscard]] std::uint64_t total() const noexcept;
  /// The middle of the bucket that holds the quantile `q` of 0 to 1; 0 when empty.
  [[nodiscard]] double quantile_ns(double q) const noexcept;

  /// "index:count index:count ..." of the buckets in use, and back. `parse` adds to what is there
  /// and returns false for text that is not of that form.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool parse(std::string_view text);

 private:
  static constexpr unsigned k_sub_bits = 6;
  static constexpr std::size_t k_sub = 1U << k_sub_bits;
  static constexpr unsigned k_max_bits = 42;  // over an hour
  static constexpr std::size_t k_buckets = (k_max_bits - k_sub_bits + 1) * k_sub;

  [[nodiscard]] static std::size_t index_of(std::int64_t ns) noexcept {
    if (ns < 0) return 0;
    const auto value = static_cast<std::uint64_t>(ns);
    if (value < k_sub) return static_cast<std::size_t>(value);
    const auto width = static_cast<unsigned>(std::bit_width(value));
    if (width > k_max_bits) return k_buckets - 1;
    const unsigned shift = width - 1 - k_sub_bits;
    return (shift + 1) * k_sub + ((value >> shift) & (k_sub - 1));
  }
  [[nodiscard]] static double middle_of(std::size_t index) noexcept;

  std::array<std::uint64_t, k_buckets> m_counts{};
};

}  // namespace sluice::measure
