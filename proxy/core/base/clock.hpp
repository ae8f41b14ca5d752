// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <limits>

namespace sluice::core {

/// Nanoseconds of CLOCK_MONOTONIC; read through the vDSO, no system call.
using Nanoseconds = std::int64_t;

inline constexpr Nanoseconds k_never = std::numeric_limits<Nanoseconds>::max();
inline constexpr Nanoseconds k_microsecond = 1'000;
inline constexpr Nanoseconds k_millisecond = 1'000'000;
inline constexpr Nanoseconds k_second = 1'000'000'000;

[[nodiscard]] inline Nanoseconds now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * k_second + t.tv_nsec;
}

[[nodiscard]] constexpr Nanoseconds to_ns(std::chrono::nanoseconds d) noexcept {
  return d.count();
}

}  // namespace sluice::core
