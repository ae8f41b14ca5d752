// SPDX-License-Identifier: Apache-2.0
// What the search makes of its figures.
#include "app/tune/search.hpp"

#include <algorithm>

namespace sluice::app::tune {
namespace {

constexpr double k_alike = 1.05;
constexpr double k_as_good = 1.10;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

template <typename T, typename Field>
double median(const std::vector<T>& trials, Field field) {
  std::vector<double> values;
  values.reserve(trials.size());
  for (const T& trial : trials) values.push_back(field(trial));
  return median(std::move(values));
}

// `goods` of a row: less is better in each.
template <typename Row, typename Goods>
void mark(std::vector<Row>& rows, Goods goods) {
  for (Row& row : rows) {
    const auto mine = goods(row);
    row.pareto = std::none_of(rows.begin(), rows.end(), [&](const Row& other) {
      const auto theirs = goods(other);
      bool better = false;
      for (std::size_t i = 0; i < mine.size(); ++i) {
        if (theirs[i] > mine[i]) return false;
        better = better || theirs[i] < mine[i];
      }
      return better;
    });
  }
}

// The cheapest of those whose `delay` is within the budget.
template <typename Row, typename Delay, typename Cost>
const Row* cheapest(const std::vector<Row>& rows, double budget_us, Delay delay, Cost cost) {
  const Row* found = nullptr;
  for (const Row& row : rows) {
    if (delay(row) <= budget_us && (found == nullptr || cost(row) < cost(*found))) found = &row;
  }
  return found;
}

double cost(const HoldRow& r) {
  return r.median.cpu_ns;
}
double cost(const LookRow& r) {
  return r.median.cpu_ns;
}
double p99(const HoldRow& r) {
  return r.median.p99_us;
}
double p99(const LookRow& r) {
  return r.median.command_p99_us;
}
double p50(const HoldRow& r) {
  return r.median.p50_us;
}
double p50(const LookRow& r) {
  return r.median.command_p50_us;
}

// The cheapest, what was judged, and by which delay others may be compared with it.
template <typename Row>
struct Verdict {
  const Row* row = nullptr;
  Judged judged = Judged::p99;

  [[nodiscard]] bool allows(const Row& other, double budget_us) const {
    if (judged == Judged::p99) return p99(other) <= budget_us;
    return judged == Judged::nothing || p50(other) <= budget_us;
  }
};

template <typename Row>
Verdict<Row> judge(const std::vector<Row>& rows, double budget_us) {
  const auto price = [](const Row& r) { return cost(r); };
  if (const Row* r = cheapest(
          rows, budget_us, [](const Row& x) { return p99(x); }, price)) {
    return {r, Judged::p99};
  }
  if (const Row* r = cheapest(
          rows, budget_us, [](const Row& x) { return p50(x); }, price)) {
    return {r, Judged::p50};
  }
  const Row* quickest = &rows.front();
  for (const Row& row : rows) {
    if (p50(row) < p50(*quickest)) quickest = &row;
  }
  return {quickest, Judged::nothing};
}

}  // namespace

AtWorkload median_of(std::vector<AtWorkload> trials, double budget_us) {
  const auto late = [budget_us](const AtWorkload& t) { return t.lateness_us > budget_us / 4; };
  if (!std::all_of(trials.begin(), trials.end(), late)) std::erase_if(trials, late);
  AtWorkload out;
  out.cpu_ns = median(trials, [](const auto& t) { return t.cpu_ns; });
  out.p50_us = median(trials, [](const auto& t) { return t.p50_us; });
  out.p99_us = median(trials, [](const auto& t) { return t.p99_us; });
  out.lateness_us = median(trials, [](const auto& t) { return t.lateness_us; });
  if (trials.front().calls) {
    out.calls = median(trials, [](const auto& t) { return t.calls.value_or(0); });
  }
  return out;
}

InFlood median_of(const std::vector<InFlood>& trials) {
  InFlood out;
  out.messages_per_s = median(trials, [](const auto& t) { return t.messages_per_s; });
  out.cpu_ns = median(trials, [](const auto& t) { return t.cpu_ns; });
  out.command_p50_us = median(trials, [](const auto& t) { return t.command_p50_us; });
  out.command_p99_us = median(trials, [](const auto& t) { return t.command_p99_us; });
  return out;
}

void mark_pareto(std::vector<HoldRow>& rows) {
  mark(rows, [](const HoldRow& r) {
    return std::vector<double>{r.median.cpu_ns, r.median.calls.value_or(0), r.median.p99_us,
                               -r.messages_per_s};
  });
}

void mark_pareto(std::vector<LookRow>& rows) {
  mark(rows, [](const LookRow& r) {
    return std::vector<double>{-r.median.messages_per_s, r.median.cpu_ns, r.median.command_p99_us};
  });
}

const HoldRow& best_hold(const std::vector<HoldRow>& rows, double budget_us, Judged& judged) {
  const auto verdict = judge(rows, budget_us);
  judged = verdict.judged;
  const HoldRow* chosen = verdict.row;
  if (judged == Judged::nothing) return *chosen;
  for (const HoldRow& row : rows) {
    if (verdict.allows(row, budget_us) && cost(row) <= k_alike * cost(*verdict.row) &&
        p99(row) < p99(*chosen)) {
      chosen = &row;
    }
  }
  return *chosen;
}

const LookRow& best_look(const std::vector<LookRow>& rows, double budget_us, Judged& judged) {
  const auto verdict = judge(rows, budget_us);
  judged = verdict.judged;
  const Tuning standard;
  for (const LookRow& row : rows) {
    if (row.knobs.tuning.inbound_poll_rate == standard.inbound_poll_rate &&
        row.knobs.tuning.max_command_delay == standard.max_command_delay &&
        verdict.allows(row, budget_us) && cost(row) <= k_as_good * cost(*verdict.row)) {
      return row;
    }
  }
  return *verdict.row;
}

}  // namespace sluice::app::tune
