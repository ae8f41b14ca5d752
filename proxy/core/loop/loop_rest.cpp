// SPDX-License-Identifier: Apache-2.0
// The loop between its turns: looks at commands, timers, holds, waits.
#include "core/loop/loop.hpp"

#include <algorithm>
#include <cerrno>

namespace sluice::core {
namespace {

// Signals that are held back wait at most this long for the loop to sleep.
constexpr Nanoseconds k_signal_patience = 10 * k_millisecond;
// The clock is read once for this many messages from the sinks.
constexpr std::uint32_t k_clock_stride = 8;

}  // namespace

// While data flows: commands, peers, the frontends that were drained and what comes up.
void Loop::look() noexcept {
  m_since_look = 0;
  ask();
  if (m_ended != Ended::running) return;
  pump_upstream(true);
  if (any_pending()) ask();  // it took as long as a turn
}

// Nothing more to forward: look at what sends may have hidden, then sleep.
void Loop::rest() noexcept {
  Nanoseconds t = now();
  m_since_look = 0;
  // A look costs a poll(); it is not made after every message when a timer can stand for it.
  const Nanoseconds patience = to_ns(m_tuning.max_command_delay);
  const bool due = m_both_ways ? m_hold_until == 0
                               : t - m_last_look >= patience / 2 ||
                                     (any_look_due() && !m_waiter.ring_at(m_last_look + patience));
  if (!(m_both_ways && m_hold_until != 0) && pump_upstream(due)) {
    m_counters.looks.add(1);
    m_last_look = t;
  }
  if (any_pending()) {  // stopped by a knob
    return ask();
  }
  if (m_hold_until == 0) start_hold(t);
  run_timers(t);
  check_drain(t);
  if (m_ended != Ended::running || (may_forward() && (m_pending != 0 || any_ready()))) return;
  if (any_pending()) return;  // the timers found something: topics of those that have left
  end_turn(t);
  const auto scope = m_hold_until != 0 ? Waiter::Scope::without_sources : Waiter::Scope::everything;
  const auto outcome = m_waiter.wait(scope, next_deadline(t));
  m_turn_start = now();
  m_counters.wakes.add(1);
  after_wait(outcome);
  check_signals(m_turn_start);
  if (m_hold_until != 0 && m_turn_start >= m_hold_until) end_hold();
}

void Loop::end_turn(Nanoseconds t) noexcept {
  const Nanoseconds time = t - m_turn_start;
  m_counters.worst_turn_ns.raise_to(static_cast<std::uint64_t>(time));
  const std::uint64_t bursts = m_counters.bursts.get();
  if (bursts != m_turn_bursts) m_counters.turns.record(time + m_turn_held);
  m_turn_bursts = bursts;
  m_turn_held = 0;
}

// Serves what is ready, without sleeping.
void Loop::ask() noexcept {
  m_counters.looks.add(1);
  after_wait(m_waiter.wait(
      m_hold_until != 0 ? Waiter::Scope::without_sources : Waiter::Scope::everything, 0));
  const Nanoseconds t = now();
  end_turn(t);
  m_last_look = m_turn_start = t;
  check_signals(t);
  run_timers(t);
  check_drain(t);
}

void Loop::after_wait(Waiter::Outcome outcome) noexcept {
  if (outcome == Waiter::Outcome::failed) fail(m_waiter.error());
  if (outcome == Waiter::Outcome::interrupted && m_return_on_signal) end(Ended::interrupted);
  if (may_forward()) return;
  for (auto* frontend : m_frontends) {
    if (!frontend->quiet()) fail(frontend->error());
  }
}

// A wait that finds something ready does not let signals through.
void Loop::check_signals(Nanoseconds t) noexcept {
  if (!m_return_on_signal || t - m_last_signal_check < k_signal_patience) return;
  m_last_signal_check = t;
  if (m_waiter.take_signals()) end(Ended::interrupted);
}

bool Loop::any_pending() const noexcept {
  return std::any_of(m_sinks.begin(), m_sinks.end(), [](const auto* s) { return s->pending(); });
}

bool Loop::any_look_due() const noexcept {
  return std::any_of(m_sinks.begin(), m_sinks.end(), [](const auto* s) { return s->look_due(); });
}

// True when the sinks were asked.
bool Loop::pump_upstream(bool due) noexcept {
  bool asked = false;
  if (m_up_in_hand) {
    if (!m_upstream.room()) return false;
    pump_sink(m_up_sink);
    if (m_up_in_hand) return true;
  }
  for (std::size_t i = 0; i < m_sinks.size(); ++i) {
    if (!m_sinks[i]->pending() && !(due && m_sinks[i]->look_due())) continue;
    asked = true;
    pump_sink(i);
    if (m_up_in_hand) break;
  }
  return asked;
}

// Until there is nothing more, or a knob stops it: then the sink is still pending.
void Loop::pump_sink(std::size_t i) noexcept {
  auto& sink = *m_sinks[i];
  const Nanoseconds start = now();
  std::uint64_t left = budget();
  for (std::uint32_t stride = 1;; ++stride) {
    if (!m_up_in_hand) {
      if (!sink.receive(m_up)) {
        if (sink.error() != 0) fail(sink.error());
        return;
      }
      m_counters.backend.received_messages.add(1);
      m_counters.backend.received_bytes.add(m_up.size());
      m_up_sink = i;
    }
    const auto sent = m_upstream.take(m_numbers[i], m_up);
    m_up_in_hand = !sent.done;
    if (sent.error != 0) fail(sent.error);
    if (m_up_in_hand || sent.error != 0) return;
    m_up.clear();
    m_counters.frontend.sent_messages.add(sent.messages);
    m_counters.frontend.sent_bytes.add(sent.bytes);
    if (m_both_ways) ++m_in_turn;
    if (--left == 0) return;
    if (stride % k_clock_stride == 0 && now() - start >= to_ns(m_tuning.max_command_delay)) return;
  }
}

void Loop::run_timers(Nanoseconds t) noexcept {
  for (auto* sink : m_sinks) {
    if (sink->next_time() <= t) sink->on_time(t);
  }
  for (auto* sink : m_retiring) {
    if (sink->next_time() <= t) sink->on_time(t);
  }
  for (auto* timed : m_timed) {
    if (timed->next_time() <= t) timed->on_time(t);
  }
}

Nanoseconds Loop::next_deadline(Nanoseconds t) const noexcept {
  Nanoseconds deadline = k_never;
  for (const auto* timed : m_timed) deadline = std::min(deadline, timed->next_time());
  for (const auto* sink : m_retiring) deadline = std::min(deadline, sink->next_time());
  for (const auto* sink : m_sinks) {
    deadline = std::min(deadline, sink->next_time());
    if (m_both_ways && sink->look_due()) {
      deadline = std::min(deadline, std::max(m_last_look + to_ns(m_tuning.max_command_delay), t));
    }
  }
  if (m_hold_until != 0) deadline = std::min(deadline, m_hold_until);
  if (state() == RouteState::draining) {
    deadline = std::min({deadline, m_drain_deadline, m_drain_quiet_until});
  }
  return deadline;
}

void Loop::start_hold(Nanoseconds t) noexcept {
  if (m_in_turn == 0 || state() != RouteState::running || m_pending != 0) return;
  const Nanoseconds hold = m_hold.after_turn(m_in_turn, t);
  if (hold <= 0) return;
  m_counters.holds.add(1);
  if (m_hold.cut()) m_counters.holds_cut.add(1);
  m_hold_until = t + hold;
  m_hold_start = t;
}

void Loop::end_hold() noexcept {
  m_hold_until = 0;
  m_turn_held = m_turn_start - m_hold_start;
  if (m_frontends.size() == 1 && !m_both_ways) {
    m_frontends.front()->touch();
  } else {
    for (auto* frontend : m_frontends) frontend->touch();
    after_wait(m_waiter.wait(Waiter::Scope::everything, 0));
  }
}

}  // namespace sluice::core
