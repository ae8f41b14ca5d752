// SPDX-License-Identifier: Apache-2.0
// The loop's states and what commands do to them.
#include "core/loop/loop.hpp"

#include <zmq.h>

#include <algorithm>
#include <cerrno>

namespace sluice::core {
namespace {

// A drain ends when the sources have been silent for this long.
constexpr Nanoseconds k_drain_quiet = 10 * k_millisecond;

}  // namespace

RouteState Loop::state() const noexcept {
  return m_counters.state.load(std::memory_order_relaxed);
}

void Loop::set_state(RouteState state) noexcept {
  m_counters.state.store(state, std::memory_order_release);
}

void Loop::end(Ended how) noexcept {
  if (m_ended != Ended::running) return;
  m_ended = how;
  set_state(RouteState::draining);
}

void Loop::pause() noexcept {
  if (state() == RouteState::running) set_state(RouteState::paused);
}

void Loop::resume() noexcept {
  if (state() == RouteState::paused) set_state(RouteState::running);
}

void Loop::terminate() noexcept {
  end(Ended::terminated);
}

void Loop::drain(Nanoseconds deadline) noexcept {
  if (m_ended != Ended::running || state() == RouteState::draining) return;
  set_state(RouteState::draining);
  m_drain_deadline = deadline;
  m_drain_quiet_until = std::min(deadline, now() + k_drain_quiet);
  m_hold_until = 0;
  for (auto* frontend : m_frontends) frontend->touch();
}

void Loop::check_drain(Nanoseconds t) noexcept {
  if (state() != RouteState::draining) return;
  if (m_in_turn != 0 || m_pending != 0) m_drain_quiet_until = t + k_drain_quiet;
  if (t >= m_drain_deadline || t >= m_drain_quiet_until) end(Ended::drained);
}

void Loop::fail(int error) noexcept {
  m_error = error;
  end(error == ETERM ? Ended::context_terminated : Ended::failed);
}

void Loop::set(const Tuning& tuning) noexcept {
  m_tuning = tuning;
  m_hold.set(tuning);
  if (m_hold_until != 0) m_hold_until = 1;  // a new delay begins with the next turn
}

void Loop::take_all(Frontend& frontend, Nanoseconds deadline) noexcept {
  frontend.touch();
  while (m_ended == Ended::running && state() != RouteState::paused && m_pending == 0 &&
         frontend.ready() && now() < deadline) {
    forward_some(frontend, 1);
  }
  publish();
}

void Loop::retire(sink::Sink& sink, Nanoseconds deadline) noexcept {
  const auto at = std::find(m_sinks.begin(), m_sinks.end(), &sink);
  if (at == m_sinks.end()) return;
  const auto i = at - m_sinks.begin();
  m_sinks.erase(at);
  m_numbers.erase(m_numbers.begin() + i);
  // The bits above close up.
  const std::uint64_t below = (std::uint64_t{1} << i) - 1;
  const bool waited = ((m_pending >> i) & 1) != 0;
  m_pending = (m_pending & below) | ((m_pending >> 1) & ~below);
  if (waited && m_pending == 0) {  // nobody else waits for the message in hand
    settle();
    publish();
  }
  m_retiring.push_back(&sink);
  sink.retire(deadline);
}

void Loop::forget(const sink::Sink& sink) noexcept {
  std::erase(m_retiring, &sink);
}

bool Loop::close_down(Nanoseconds deadline) {
  set_state(RouteState::draining);
  for (auto* sink : m_sinks) sink->begin_close();
  for (;;) {
    // After an error nobody takes what is in hand any more (the context was shut down, perhaps
    // between two of these steps): it is not waited for.
    if (m_pending != 0 && m_error == 0) deliver();
    bool done = m_pending == 0 || m_error != 0;
    bool flushed = true;
    for (auto* sink : m_retiring) {
      flushed = sink->flush(deadline) && flushed;
      done = sink->closed() && done;
    }
    for (auto* sink : m_sinks) {
      flushed = sink->flush(deadline) && flushed;
      done = sink->closed() && done;
    }
    publish();
    pump_upstream(false);  // keeps the sinks' descriptors quiet
    const Nanoseconds t = now();
    if (done || t >= deadline) return done && m_pending == 0;
    run_timers(t);
    Nanoseconds until = deadline;
    for (const auto* sink : m_sinks) until = std::min(until, sink->next_time());
    for (const auto* sink : m_retiring) until = std::min(until, sink->next_time());
    if (m_waiter.wait(Waiter::Scope::without_sources, flushed ? until : 0) ==
        Waiter::Outcome::failed) {
      return false;
    }
  }
}

}  // namespace sluice::core
