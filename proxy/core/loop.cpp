// SPDX-License-Identifier: Apache-2.0
#include "core/loop.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>

namespace sluice::core {
namespace {

// Ready frontends take turns of this many messages; libzmq is fair inside one.
constexpr std::uint32_t k_turn_of_one_frontend = 32;
// The clock is read once for this many messages.
constexpr std::uint32_t k_clock_stride = 8;

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

void Loop::add(sink::Sink& sink) {
  m_sinks.push_back(&sink);
}

void Loop::add(Timed& timed) {
  m_timed.push_back(&timed);
}

std::uint64_t Loop::budget() const noexcept {
  return m_tuning.max_command_delay.count() == 0 ? 1 : m_tuning.inbound_poll_rate;
}

bool Loop::may_forward() const noexcept {
  if (m_ended != Ended::running || m_hold_until != 0) return false;
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
  std::uint32_t stride = 0;
  const std::size_t count = m_frontends.size();
  for (bool any = true; any;) {
    any = false;
    for (std::size_t n = 0; n < count; ++n) {
      Frontend& frontend = *m_frontends[m_next_frontend];
      for (std::uint32_t quota = k_turn_of_one_frontend; quota > 0 && frontend.ready(); --quota) {
        const Step step = forward_one(frontend);
        if (step == Step::blocked || m_ended != Ended::running) return false;
        if (step == Step::nothing) break;
        any = true;
        if (++m_since_look >= limit) return true;
        if (++stride == k_clock_stride) {
          stride = 0;
          if (now() - m_last_look >= patience) return true;
        }
      }
      m_next_frontend = m_next_frontend + 1 == count ? 0 : m_next_frontend + 1;
    }
  }
  return false;
}

Loop::Step Loop::forward_one(Frontend& frontend) noexcept {
  switch (frontend.receive(m_message)) {
    case Receive::message:
      break;
    case Receive::nothing:
      return Step::nothing;
    case Receive::failed:
      fail(frontend.error());
      return Step::nothing;
  }
  ++m_tally.received;
  m_tally.received_bytes += m_message.size();
  if (m_tap != nullptr) m_tap->copy(m_message);
  m_pending = all_of(m_sinks.size());
  return deliver();
}

Loop::Step Loop::deliver() noexcept {
  for (std::uint64_t rest = m_pending; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    const std::uint64_t bit = std::uint64_t{1} << i;
    // Only the last one that still waits for it may take the bytes away.
    const auto hand = m_pending == bit ? sink::Sink::Hand::give : sink::Sink::Hand::share;
    switch (m_sinks[i]->offer(m_message, hand)) {
      case sink::Offer::full:
        continue;
      case sink::Offer::failed:
        fail(m_sinks[i]->error());
        return Step::blocked;
      case sink::Offer::unroutable:
        m_counters.unroutable_messages.add(1);
        break;
      case sink::Offer::taken:
        break;
    }
    m_pending &= ~bit;
  }
  if (m_pending != 0) {
    if (m_blocked_since == 0) m_blocked_since = now();
    return Step::blocked;
  }
  if (m_blocked_since != 0) {
    m_counters.backpressure_ns.add(static_cast<std::uint64_t>(now() - m_blocked_since));
    m_blocked_since = 0;
  }
  ++m_tally.sent;
  m_tally.sent_bytes += m_message.size();
  m_message.recycle();
  ++m_in_turn;
  return Step::forwarded;
}

bool Loop::flush() noexcept {
  const Nanoseconds deadline = m_last_look + to_ns(m_tuning.max_command_delay);
  bool done = true;
  for (auto* sink : m_sinks) done = sink->flush(deadline) && done;
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
