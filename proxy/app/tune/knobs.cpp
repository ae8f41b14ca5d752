// SPDX-License-Identifier: Apache-2.0
#include "app/tune/knobs.hpp"

#include "config/units.hpp"

#include <algorithm>

namespace sluice::app::tune {
namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

constexpr nanoseconds k_longest_hold = 100ms;

// To microseconds, which is what the loop's timers are good for.
nanoseconds part(nanoseconds budget, int parts) {
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(budget / parts);
  return std::clamp<nanoseconds>(whole, 1us, k_longest_hold);
}

bool can_pay(nanoseconds hold, double messages_per_s) {
  return messages_per_s * std::chrono::duration<double>(hold).count() >= 1;
}

}  // namespace

std::string text_of(nanoseconds time) {
  return config::format_duration(time.count());
}

std::string hold_text(const Knobs& knobs) {
  const std::string engine = std::string(to_string(knobs.engine)) + "  ";
  if (knobs.tuning.mode == TuningMode::adaptive) {
    return engine + "adaptive " + text_of(knobs.tuning.latency_budget);
  }
  return engine + "coalesce_delay " + text_of(knobs.tuning.coalesce_delay);
}

std::vector<Knobs> hold_candidates(const std::vector<Engine>& engines, nanoseconds budget,
                                   double messages_per_s) {
  std::vector<nanoseconds> holds{0ns};
  for (const int parts : {16, 8, 4, 2}) {
    const nanoseconds hold = part(budget, parts);
    if (can_pay(hold, messages_per_s) && hold != holds.back()) holds.push_back(hold);
  }
  std::vector<Knobs> out;
  for (const Engine engine : engines) {
    for (const nanoseconds hold : holds) {
      Knobs knobs{.engine = engine, .tuning = {}};
      knobs.tuning.coalesce_delay = hold;
      out.push_back(knobs);
    }
    Knobs adaptive{.engine = engine, .tuning = {}};
    adaptive.tuning.mode = TuningMode::adaptive;
    adaptive.tuning.latency_budget = part(budget, 2);
    out.push_back(adaptive);
  }
  return out;
}

std::vector<Knobs> look_candidates(const Knobs& base) {
  std::vector<Knobs> out;
  for (const std::uint32_t rate : {100U, 1'000U, 10'000U}) {
    Knobs knobs = base;
    knobs.tuning.inbound_poll_rate = rate;
    knobs.tuning.max_command_delay = 1ms;
    out.push_back(knobs);
  }
  Knobs seldom = out.back();
  seldom.tuning.max_command_delay = 10ms;
  out.push_back(seldom);
  return out;
}

}  // namespace sluice::app::tune
