// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/options.hpp>
#include <sluice/statistics.hpp>  // to_string

#include <chrono>
#include <string>
#include <vector>

namespace sluice::app::tune {

/// One point of the search: an engine and the live knobs. A plain value.
struct Knobs {
  Engine engine = Engine::native;  ///< never automatic
  Tuning tuning;

  bool operator==(const Knobs&) const = default;
};

/// "native  coalesce_delay 250us", "zmq  adaptive 1ms".
[[nodiscard]] std::string hold_text(const Knobs& knobs);
/// "250us", as the configuration writes it.
[[nodiscard]] std::string text_of(std::chrono::nanoseconds time);

/// What the search compares at the workload: for each engine no hold, holds of a sixteenth, an
/// eighth, a quarter and half of the latency budget, and adaptive mode with half of it. Half,
/// because the path itself and the scheduler need the rest. Holds in which less than one further
/// message is expected are left out: they cannot pay.
[[nodiscard]] std::vector<Knobs> hold_candidates(const std::vector<Engine>& engines,
                                                 std::chrono::nanoseconds budget,
                                                 double messages_per_s);

/// What it compares in a flood: looks at commands every 100, 1000 and 10,000 messages, within 1 ms
/// and (the last) 10 ms.
[[nodiscard]] std::vector<Knobs> look_candidates(const Knobs& base);

}  // namespace sluice::app::tune
