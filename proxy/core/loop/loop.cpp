// SPDX-License-Identifier: Apache-2.0
#include "core/loop/loop.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>

namespace sluice::core {
namespace {

// Ready frontends take turns of this many messages; libzmq is fair inside one.
// The clock is read after each turn.
constexpr std::uint64_t k_turn_of_one_frontend = 32;

std::uint64_t all_of(std::size_t sinks) noexcept {
  return (std::uint64_t{1} << sinks) - 1;
}

}  // namespace

Loop::Loop(const Tuning& tuning, LoopCounters& counters, Upstream& upstream, Waiter::Kind waiter)
    : m_counters(counters), m_upstream(upstream), m_waiter(waiter) {
  set(tuning);
}

void Loop::add(Frontend& frontend) {
  m_frontends.push_back(&frontend);
}

void Loop::remove(const Frontend& frontend) {
  std::erase(m_frontends, &frontend);
  m_next_frontend = 0;
}

std::size_t Loop::add(sink::Sink& sink) {
  std::size_t number = 0;
  while (std::find(m_numbers.begin(), m_numbers.end(), number) != m_numbers.end()) ++number;
  m_sinks.push_back(&sink);
  m_numbers.push_back(number);
  return number;
}

void Loop::add(Timed& timed) {
  m_timed.push_back(&timed);
}

std::uint64_t Loop::budget() const noexcept {
  return m_tuning.max_command_delay.count() == 0 ? 1 : m_tuning.inbound_poll_rate;
}

bool Loop::may_forward() const noexcept {
  if (m_ended != Ended::running || m_hold_until != 0 || m_sinks.empty()) return false;
  if (state() == RouteState::paused) return false;
  if (m_pending == 0) return true;
  for (std::size_t i = 0; i < m_sinks.size(); ++i) {
    if (((m_pending >> i) & 1) != 0 && m_sinks[i]->room()) return true;
  }
  return false;
}

bool Loop::any_ready() const noexcept {
  return std::any_of(m_frontends.begin(), m_frontends.end(),
                     [](const Frontend* f) { return f->ready(); });
}

Loop::Ended Loop::run() {
  set_state(RouteState::running);
  m_last_look = m_turn_start = now();
  bool flushed = true;
  while (m_ended == Ended::running) {
    m_in_turn = 0;
    // A pass that was cut for a look ends before more is read: else whoever is served first would
    // have something new each time, and the others nothing at all.
    bool busy = flushed && may_forward() && forward();
    flushed = flush();
    busy = !flushed || busy;
    publish();
    if (busy) {
      look();
      m_hold.add(m_in_turn);
    } else {
      rest();
    }
  }
  return m_ended;
}

bool Loop::forward() {
  if (m_pending != 0 && deliver() == Step::blocked) return false;
  const std::uint64_t limit = budget();
  const Nanoseconds patience = to_ns(m_tuning.max_command_delay);
  const std::size_t count = m_frontends.size();
  for (bool any = true; any;) {
    any = false;
    for (std::size_t n = 0; n < count; ++n) {
      Frontend& frontend = *m_frontends[m_next_frontend];
      m_next_frontend = m_next_frontend + 1 == count ? 0 : m_next_frontend + 1;
      if (!frontend.ready()) continue;
      const std::uint64_t before = m_in_turn;
      const Step step =
          forward_some(frontend, std::min(k_turn_of_one_frontend, limit - m_since_look));
      m_since_look += m_in_turn - before;
      if (step == Step::blocked || m_ended != Ended::running) return false;
      if (m_since_look >= limit) return true;
      any = any || m_in_turn != before;
      if (step == Step::forwarded && now() - m_last_look >= patience) return true;
    }
  }
  return false;
}

// A route with one sink and no tap, which is most of them, goes the short way; what that sink does
// not take at once, and every other route, goes through `deliver`.
Loop::Step Loop::forward_some(Frontend& frontend, std::uint64_t limit) noexcept {
  sink::Sink* const only = m_tap == nullptr && m_sinks.size() == 1 ? m_sinks.front() : nullptr;
  for (; limit > 0; --limit) {
    const Receive received = frontend.receive(m_message);
    if (received != Receive::message) {
      if (received == Receive::failed) fail(frontend.error());
      return Step::nothing;
    }
    ++m_tally.received;
    m_tally.received_bytes += m_message.size();
    if (only != nullptr) {
      const auto offer = only->offer(m_message, sink::Sink::Hand::give);
      if (offer == sink::Offer::taken) {
        sent();
        continue;
      }
      m_pending = accepts(0, offer) ? 0 : 1;
    } else {
      if (m_tap != nullptr) m_tap->copy(m_message);
      m_pending = all_of(m_sinks.size());
      offer_to_pending();
    }
    if (settle() == Step::blocked) return Step::blocked;
  }
  return Step::forwarded;
}

Loop::Step Loop::deliver() noexcept {
  offer_to_pending();
  return settle();
}

void Loop::offer_to_pending() noexcept {
  for (std::uint64_t rest = m_pending; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    const std::uint64_t bit = std::uint64_t{1} << i;
    // Only the last one that still waits for it may take the bytes away.
    const auto hand = m_pending == bit ? sink::Sink::Hand::give : sink::Sink::Hand::share;
    if (accepts(i, m_sinks[i]->offer(m_message, hand))) m_pending &= ~bit;
  }
}

// Whether the sink is done with the message.
bool Loop::accepts(std::size_t i, sink::Offer offer) noexcept {
  switch (offer) {
    case sink::Offer::taken:
      return true;
    case sink::Offer::unroutable:
      m_counters.unroutable_messages.add(1);
      return true;
    case sink::Offer::failed:
      fail(m_sinks[i]->error());
      return false;
    case sink::Offer::full:
      return false;
  }
  return false;
}

// After an offer: the message has gone, or the loop waits for those who have not taken it.
Loop::Step Loop::settle() noexcept {
  if (m_pending != 0) {
    if (m_blocked_since == 0) m_blocked_since = now();
    return Step::blocked;
  }
  if (m_blocked_since != 0) {
    m_counters.backpressure_ns.add(static_cast<std::uint64_t>(now() - m_blocked_since));
    m_blocked_since = 0;
  }
  sent();
  return Step::forwarded;
}

void Loop::sent() noexcept {
  ++m_tally.sent;
  m_tally.sent_bytes += m_message.size();
  m_message.recycle();
  ++m_in_turn;
}

bool Loop::flush() noexcept {
  const Nanoseconds deadline = m_last_look + to_ns(m_tuning.max_command_delay);
  bool done = true;
  for (auto* sink : m_sinks) done = sink->flush(deadline) && done;
  for (auto* sink : m_retiring) done = sink->flush(deadline) && done;
  return done;
}

void Loop::publish() noexcept {
  if (m_tally.received != 0) {
    m_counters.frontend.received_messages.add(m_tally.received);
    m_counters.frontend.received_bytes.add(m_tally.received_bytes);
  }
  if (m_tally.sent != 0) {
    m_counters.backend.sent_messages.add(m_tally.sent);
    m_counters.backend.sent_bytes.add(m_tally.sent_bytes);
    m_counters.bursts.add(1);
  }
  m_tally = {};
}

}  // namespace sluice::core
