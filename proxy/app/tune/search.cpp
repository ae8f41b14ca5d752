// SPDX-License-Identifier: Apache-2.0
#include "app/tune/search.hpp"

#include <algorithm>
#include <map>

namespace sluice::app::tune {
namespace {

using core::Nanoseconds;

// A trial needs this much beside what it measures: connecting, probes, the last messages.
constexpr Nanoseconds k_around = 150 * core::k_millisecond;
constexpr Nanoseconds k_shortest = 500 * core::k_millisecond;
constexpr Nanoseconds k_longest = 1'500 * core::k_millisecond;
constexpr double k_messages_wanted = 500;  // of a trial
constexpr int k_fewest_rounds = 3;
constexpr int k_most_rounds = 9;
constexpr int k_flood_rounds = 3;
// With less time than this everything is shorter in proportion, but not below a fifth.
constexpr Nanoseconds k_full_time = 40 * core::k_second;
constexpr Nanoseconds k_time_for_rounds = 20 * core::k_second;
constexpr Nanoseconds k_flood = core::k_second;

/// What is to be done and how far it is.
class Steps {
 public:
  explicit Steps(const std::function<void(double, const std::string&)>& on_step)
      : m_on_step(on_step) {}
  void plan(Nanoseconds time) { m_total += static_cast<double>(time); }
  void begin(Nanoseconds time, const std::string& what) {
    m_on_step(m_total > 0 ? m_done / m_total : 0, what);
    m_done += static_cast<double>(time);
  }

 private:
  const std::function<void(double, const std::string&)>& m_on_step;
  double m_total = 0;
  double m_done = 0;
};

std::string round_text(int round, int rounds) {
  return "round " + std::to_string(round + 1) + " of " + std::to_string(rounds) + ": ";
}

// Each one in turn, so that what disturbs the machine disturbs all alike.
template <typename Trial, typename Measure>
std::vector<std::vector<Trial>> interleaved(const std::vector<Knobs>& candidates, int rounds,
                                            const Measure& measure) {
  std::vector<std::vector<Trial>> trials(candidates.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t n = 0; n < candidates.size(); ++n) {
      const std::size_t i = round % 2 == 0 ? n : candidates.size() - 1 - n;
      trials[i].push_back(measure(candidates[i], round));
    }
  }
  return trials;
}

}  // namespace

Findings search(const Plan& plan, const Workload& workload, Trials& trials,
                const std::function<void(double, const std::string&)>& on_step) {
  const double budget_us = std::chrono::duration<double, std::micro>(plan.budget).count();
  const auto candidates =
      hold_candidates(plan.engines, plan.budget, static_cast<double>(workload.rate));
  const Nanoseconds time = core::to_ns(plan.time);
  const double share =
      std::clamp(static_cast<double>(time) / static_cast<double>(k_full_time), 0.2, 1.0);
  const auto scaled = [share](Nanoseconds whole) {
    return static_cast<Nanoseconds>(share * static_cast<double>(whole));
  };
  const Nanoseconds slot = scaled(
      std::clamp(static_cast<Nanoseconds>(k_messages_wanted / static_cast<double>(workload.rate) *
                                          static_cast<double>(core::k_second)),
                 k_shortest, k_longest));
  const Nanoseconds flood = scaled(k_flood);
  const bool hasty = time < k_time_for_rounds;
  const int flood_rounds = hasty ? 1 : k_flood_rounds;
  const auto looks = look_candidates(candidates.front());
  const Nanoseconds floods =
      (k_flood + k_around) * (static_cast<Nanoseconds>(looks.size()) * flood_rounds +
                              static_cast<Nanoseconds>(plan.engines.size()));
  const Nanoseconds a_round = (slot + k_around) * static_cast<Nanoseconds>(candidates.size());
  Findings out;
  out.rounds = static_cast<int>(std::clamp<Nanoseconds>((core::to_ns(plan.time) - floods) / a_round,
                                                        k_fewest_rounds, k_most_rounds));
  Steps steps(on_step);
  steps.plan(floods + a_round * out.rounds);

  std::map<Engine, double> throughput;
  for (const Engine engine : plan.engines) {
    steps.begin(flood + k_around, std::string("a flood, engine ") + to_string(engine));
    throughput[engine] = trials.in_flood({engine, {}}, flood).messages_per_s;
  }
  const auto at_workload =
      interleaved<AtWorkload>(candidates, out.rounds, [&](const Knobs& knobs, int round) {
        steps.begin(slot + k_around, round_text(round, out.rounds) + hold_text(knobs));
        return trials.at_workload(knobs, slot);
      });
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    out.holds.push_back({candidates[i], median_of(at_workload[i], budget_us),
                         throughput[candidates[i].engine], false});
  }
  mark_pareto(out.holds);
  std::vector<double> lateness;
  for (const HoldRow& row : out.holds) lateness.push_back(row.median.lateness_us);
  std::nth_element(lateness.begin(), lateness.begin() + static_cast<long>(lateness.size() / 2),
                   lateness.end());
  out.lateness_us = lateness[lateness.size() / 2];
  const Knobs chosen = best_hold(out.holds, budget_us, out.holds_judged).knobs;

  const auto look_knobs = look_candidates(chosen);
  const auto in_flood =
      interleaved<InFlood>(look_knobs, flood_rounds, [&](const Knobs& knobs, int round) {
        steps.begin(flood + k_around, round_text(round, flood_rounds) + "a flood, looks every " +
                                          std::to_string(knobs.tuning.inbound_poll_rate) +
                                          " messages, within " +
                                          text_of(knobs.tuning.max_command_delay));
        return trials.in_flood(knobs, flood);
      });
  for (std::size_t i = 0; i < look_knobs.size(); ++i) {
    out.looks.push_back({look_knobs[i], median_of(in_flood[i]), false});
  }
  mark_pareto(out.looks);
  out.recommended = best_look(out.looks, budget_us, out.looks_judged).knobs;
  return out;
}

}  // namespace sluice::app::tune
