// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace sluice {

enum class TuningMode : std::uint8_t {
  fixed,     ///< `coalesce_delay` holds as set
  adaptive,  ///< the loop measures the arrival rate and holds only while that pays
};

/// The live knobs. A plain value: copy it, change it, hand it to `Route::set`.
struct Tuning {
  /// Whole messages forwarded while data is waiting before the loop looks at commands;
  /// 1 to 1'000'000'000.
  std::uint32_t inbound_poll_rate = 1000;
  /// The longest a waiting command stays unseen while data flows; 0 (look after every message)
  /// to 10 s.
  std::chrono::nanoseconds max_command_delay = std::chrono::milliseconds{1};
  /// After a turn that forwarded fewer than `inbound_poll_rate` messages the sources are not
  /// watched for this long; 0 (off) to 100 ms. Never delays the first message after a quiet
  /// interval. Must be 0 in adaptive mode.
  std::chrono::nanoseconds coalesce_delay{0};
  TuningMode mode = TuningMode::fixed;
  /// Adaptive mode only: the longest a single hold may last; 1 us to 100 ms.
  std::chrono::nanoseconds latency_budget = std::chrono::milliseconds{1};

  bool operator==(const Tuning&) const = default;
};

}  // namespace sluice
