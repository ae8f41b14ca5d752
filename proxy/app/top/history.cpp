// SPDX-License-Identifier: Apache-2.0
#include "app/top/history.hpp"

#include <algorithm>
#include <utility>

namespace sluice::app::top {
namespace {

constexpr std::size_t k_most_changes = 50;

// Counters never go back within a process; another process's begin again.
std::uint64_t growth(std::uint64_t before, std::uint64_t after) {
  return after >= before ? after - before : after;
}

Totals growth(const Totals& before, const Totals& after) {
  return {.messages = growth(before.messages, after.messages),
          .bytes = growth(before.bytes, after.bytes),
          .cpu_ns = growth(before.cpu_ns, after.cpu_ns),
          .wakes = growth(before.wakes, after.wakes),
          .bursts = growth(before.bursts, after.bursts),
          .holds = growth(before.holds, after.holds)};
}

double ratio(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

Passed between(const Sample& was_all, const RouteSample& was, const Sample& is_all,
               const RouteSample& is) {
  Passed p;
  p.seconds = is_all.uptime_s - was_all.uptime_s;
  if (p.seconds <= 0) p.seconds = is_all.uptime_s;
  static_cast<Totals&>(p) = growth(was, is);
  p.dropped = growth(was.dropped(), is.dropped());
  p.process_messages = growth(was_all.messages(), is_all.messages());
  if (was_all.calls && is_all.calls) p.calls = growth(*was_all.calls, *is_all.calls);
  return p;
}

// "a 1 -> 2, b 3 -> 4"; empty where nothing is different.
std::string difference(const RouteSample& was, const RouteSample& is) {
  std::string out;
  const auto add = [&out](const std::string& key, const std::string& a, const std::string& b) {
    if (a != b) out += (out.empty() ? "" : ", ") + key + ' ' + a + " -> " + b;
  };
  add("state", was.state, is.state);
  for (const auto& [key, value] : is.settings) {
    for (const auto& [old_key, old_value] : was.settings) {
      if (old_key == key) add(key, old_value, value);
    }
  }
  return out;
}

}  // namespace

Passed& Passed::operator+=(const Passed& o) noexcept {
  Totals::operator+=(o);
  seconds += o.seconds;
  dropped += o.dropped;
  process_messages += o.process_messages;
  if (o.calls) calls = calls.value_or(0) + *o.calls;
  return *this;
}

double Passed::messages_per_s() const noexcept {
  return seconds > 0 ? static_cast<double>(messages) / seconds : 0;
}

double Passed::bytes_per_s() const noexcept {
  return seconds > 0 ? static_cast<double>(bytes) / seconds : 0;
}

double Passed::cpu_share() const noexcept {
  return seconds > 0 ? static_cast<double>(cpu_ns) / 1e9 / seconds : 0;
}

std::optional<double> Passed::cpu_ns_per_message() const noexcept {
  if (messages == 0) return {};
  return ratio(cpu_ns, messages);
}

std::optional<double> Passed::calls_per_message() const noexcept {
  if (!calls || process_messages == 0) return {};
  return ratio(*calls, process_messages);
}

std::optional<double> Passed::burst() const noexcept {
  if (bursts == 0) return {};
  return ratio(messages, bursts);
}

void History::add(Sample sample, std::time_t time) {
  const Sample was_all = std::exchange(m_latest, std::move(sample));
  m_last.clear();
  if (!std::exchange(m_any, true) || was_all.pid != m_latest.pid) {
    m_recent.clear();
    return;
  }
  for (const RouteSample& is : m_latest.routes) {
    const RouteSample* was = was_all.find(is.name);
    if (was == nullptr) continue;
    const Passed passed = between(was_all, *was, m_latest, is);
    m_last[is.name] = passed;
    if (!difference(*was, is).empty()) {
      note_changes(*was, is, time);
      continue;
    }
    auto& recent = m_recent[is.name];
    recent.push_back(passed);
    if (recent.size() > k_compared_intervals) recent.pop_front();
    // Only the newest of a route: the others' time is over.
    const auto change = std::find_if(m_changes.rbegin(), m_changes.rend(),
                                     [&is](const Change& c) { return c.route == is.name; });
    if (change == m_changes.rend() || change->intervals_after >= k_compared_intervals) continue;
    change->after += passed;
    ++change->intervals_after;
  }
}

void History::note_changes(const RouteSample& was, const RouteSample& is, std::time_t time) {
  Change change;
  change.time = time;
  change.route = is.name;
  change.what = difference(was, is);
  auto& recent = m_recent[is.name];
  for (const Passed& passed : recent) change.before += passed;
  recent.clear();
  m_changes.push_back(std::move(change));
  if (m_changes.size() > k_most_changes) m_changes.pop_front();
}

std::optional<Passed> History::last(const std::string& route) const {
  const auto found = m_last.find(route);
  if (found == m_last.end()) return {};
  return found->second;
}

}  // namespace sluice::app::top
