// SPDX-License-Identifier: Apache-2.0
// The loop between its turns: looks at commands, timers, holds, waits.
#include "core/loop.hpp"

#include <algorithm>
#include <cerrno>

namespace sluice::core {
namespace {

// A drain ends when the sources have been silent for this long.
constexpr Nanoseconds k_drain_quiet = 10 * k_millisecond;

}  // namespace

// While data flows. The waiter is asked without sleeping, so commands, peers and the frontends
// that were drained are all served.
void Loop::look() noexcept {
  m_counters.looks.add(1);
  m_since_look = 0;
  after_wait(m_waiter.wait(
      m_hold_until != 0 ? Waiter::Scope::without_sources : Waiter::Scope::everything, 0));
  pump_upstream(true);
  const Nanoseconds t = now();
  m_counters.worst_turn_ns.raise_to(static_cast<std::uint64_t>(t - m_turn_start));
  m_last_look = m_turn_start = t;
  run_timers(t);
  check_drain(t);
}

// Nothing more to forward: look at what sends may have hidden, then sleep.
void Loop::rest() noexcept {
  Nanoseconds t = now();
  m_since_look = 0;
  if (m_hold_until == 0) start_hold(t);
  // A look costs a poll(). While messages come faster than commands may wait, one look serves
  // many of them; else it is done at once, which spares a second wake.
  const Nanoseconds patience = to_ns(m_tuning.max_command_delay);
  const bool due = m_slept >= patience || t - m_last_look >= patience / 2;
  if (pump_upstream(due)) {
    m_counters.looks.add(1);
    m_last_look = t;
  }
  run_timers(t);
  check_drain(t);
  if (m_ended != Ended::running || (may_forward() && (m_pending != 0 || any_ready()))) return;
  for (const auto* sink : m_sinks) {
    if (sink->pending()) return;
  }
  t = now();
  m_counters.worst_turn_ns.raise_to(static_cast<std::uint64_t>(t - m_turn_start));
  const auto scope = m_hold_until != 0 ? Waiter::Scope::without_sources : Waiter::Scope::everything;
  const auto outcome = m_waiter.wait(scope, next_deadline(t));
  m_turn_start = now();
  m_slept = m_turn_start - t;
  m_counters.wakes.add(1);
  after_wait(outcome);
  if (m_hold_until != 0 && m_turn_start >= m_hold_until) end_hold();
}

void Loop::after_wait(Waiter::Outcome outcome) noexcept {
  if (outcome == Waiter::Outcome::failed) fail(m_waiter.error());
  if (outcome == Waiter::Outcome::interrupted && m_return_on_signal) end(Ended::interrupted);
  if (may_forward()) return;
  for (auto* frontend : m_frontends) {
    if (!frontend->quiet()) fail(frontend->error());
  }
}

// True when the sinks were asked.
bool Loop::pump_upstream(bool due) noexcept {
  bool asked = false;
  for (std::size_t i = 0; i < m_sinks.size(); ++i) {
    auto& sink = *m_sinks[i];
    if (!sink.pending() && !(due && sink.look_due())) continue;
    asked = true;
    for (std::uint32_t budget = m_tuning.inbound_poll_rate; budget > 0; --budget) {
      if (!m_up_in_hand) {
        if (!sink.receive(m_up)) {
          if (sink.error() != 0) fail(sink.error());
          break;
        }
        m_counters.backend.received_messages.add(1);
        m_counters.backend.received_bytes.add(m_up.size());
        m_up_sink = i;
      } else if (m_up_sink != i) {
        break;
      }
      const auto sent = m_upstream.take(i, m_up);
      if (sent.error != 0) fail(sent.error);
      m_up_in_hand = !sent.done;
      if (m_up_in_hand) return asked;
      m_up.clear();
      m_counters.frontend.sent_messages.add(sent.messages);
      m_counters.frontend.sent_bytes.add(sent.bytes);
    }
  }
  return asked;
}

void Loop::run_timers(Nanoseconds t) noexcept {
  for (auto* sink : m_sinks) {
    if (sink->next_time() <= t) sink->on_time(t);
  }
}

Nanoseconds Loop::next_deadline(Nanoseconds t) const noexcept {
  Nanoseconds deadline = k_never;
  for (const auto* sink : m_sinks) {
    deadline = std::min(deadline, sink->next_time());
    if (sink->look_due()) {
      deadline = std::min(deadline, std::max(m_last_look + to_ns(m_tuning.max_command_delay), t));
    }
  }
  if (m_hold_until != 0) deadline = std::min(deadline, m_hold_until);
  if (state() == RouteState::draining) {
    deadline = std::min({deadline, m_drain_deadline, m_drain_quiet_until});
  }
  return deadline;
}

void Loop::check_drain(Nanoseconds t) noexcept {
  if (state() != RouteState::draining) return;
  if (m_in_turn != 0 || m_pending != 0) m_drain_quiet_until = t + k_drain_quiet;
  if (t >= m_drain_deadline || t >= m_drain_quiet_until) end(Ended::drained);
}

void Loop::start_hold(Nanoseconds t) noexcept {
  if (m_in_turn == 0 || state() != RouteState::running || m_pending != 0) return;
  const Nanoseconds hold = m_hold.after_turn(m_in_turn, t);
  if (hold <= 0) return;
  m_counters.holds.add(1);
  if (m_hold.cut()) m_counters.holds_cut.add(1);
  m_hold_until = t + hold;
}

void Loop::end_hold() noexcept {
  m_hold_until = 0;
  if (m_frontends.size() == 1) {
    m_frontends.front()->touch();
  } else {
    after_wait(m_waiter.wait(Waiter::Scope::everything, 0));
  }
}

}  // namespace sluice::core
