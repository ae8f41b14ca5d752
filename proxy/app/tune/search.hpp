// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/tune/trials.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sluice::app::tune {

/// A setting with the medians of its trials.
struct HoldRow {
  Knobs knobs;
  AtWorkload median;
  double messages_per_s = 0;  ///< of its engine in a flood
  bool pareto = false;        ///< no other is at least as good in everything
};

struct LookRow {
  Knobs knobs;
  InFlood median;
  bool pareto = false;
};

/// What had to keep to the budget.
enum class Judged : std::uint8_t {
  p99,
  p50,      ///< no p99 did
  nothing,  ///< nor did any p50
};

struct Findings {
  std::vector<HoldRow> holds;
  std::vector<LookRow> looks;  ///< of the engine recommended
  Knobs recommended;
  Judged holds_judged = Judged::p99;
  Judged looks_judged = Judged::p99;
  double lateness_us = 0;  ///< the median trial's
  int rounds = 0;
};

// The judgement, pure.

/// The least CPU for each message among those that keep to the budget; where others cost within 5 %
/// of that, the one with the least p99 of them. Keeping to the budget is a matter of p99, or of p50
/// where no setting's p99 does: then it is not the settings that make it long.
[[nodiscard]] const HoldRow& best_hold(const std::vector<HoldRow>& rows, double budget_us,
                                       Judged& judged);
/// The same for commands; a setting that is the default wins over those less than 10 % cheaper.
[[nodiscard]] const LookRow& best_look(const std::vector<LookRow>& rows, double budget_us,
                                       Judged& judged);
void mark_pareto(std::vector<HoldRow>& rows);
void mark_pareto(std::vector<LookRow>& rows);
/// Of the trials in which the load itself was sent in time: within a quarter of the budget; of all
/// where there are none.
[[nodiscard]] AtWorkload median_of(std::vector<AtWorkload> trials, double budget_us);
[[nodiscard]] InFlood median_of(const std::vector<InFlood>& trials);

/// How long a search may take, and what it is to look at.
struct Plan {
  std::vector<Engine> engines;
  std::chrono::nanoseconds budget{};
  std::chrono::milliseconds time{50'000};  ///< about; under 20 s there is one round only
};

/// First each engine in a flood once, then the holds at the workload, all of them in turn, every
/// other round in the opposite order, and again; then looks at commands in floods, on the engine
/// that is recommended. `on_step` hears the share done and what comes next.
[[nodiscard]] Findings search(const Plan& plan, const Workload& workload, Trials& trials,
                              const std::function<void(double, const std::string&)>& on_step);

}  // namespace sluice::app::tune
