// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/timed.hpp"
#include "core/loop/frontend.hpp"
#include "core/loop/loop_counters.hpp"
#include "core/loop/tap.hpp"
#include "core/loop/upstream.hpp"
#include "core/wait/hold.hpp"
#include "core/wait/waiter.hpp"
#include "core/zmq/message.hpp"
#include "sink/sink.hpp"

#include <sluice/tuning.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::core {

/// The forwarding loop: takes whole messages from its frontends, offers them to its sinks, passes
/// upstream what comes up, and looks at commands as the knobs say. Serves Route and the C call.
///
/// Everything runs on one thread. Commands arrive as `Watched` objects of the waiter, whose
/// `on_ready` calls the steering functions below. Borrows frontends, sinks, tap and upstream: they
/// outlive the loop's `run`. Nothing here blocks except the waiter, which watches everything that
/// can end the wait.
class Loop {
 public:
  enum class Ended : std::uint8_t {
    running,             ///< not yet
    terminated,          ///< by command
    drained,             ///< by command, the sources read out
    context_terminated,  ///< ETERM
    interrupted,         ///< a signal handler ran, and `return_on_signal` was asked for
    failed,              ///< `error()`
  };

  Loop(const Tuning& tuning, LoopCounters& counters, Upstream& upstream,
       Waiter::Kind waiter = Waiter::Kind::epoll);

  [[nodiscard]] Waiter& waiter() noexcept { return m_waiter; }

  void add(Frontend& frontend);
  void remove(const Frontend& frontend);
  /// At most 63. The number under which the upstream knows it, free again after `retire`.
  std::size_t add(sink::Sink& sink);
  /// Offers it nothing more; what it has accepted still leaves, until the deadline or `forget`.
  void retire(sink::Sink& sink, Nanoseconds deadline) noexcept;
  void forget(const sink::Sink& sink) noexcept;
  void add(Timed& timed);
  void set_tap(Tap* tap) noexcept { m_tap = tap; }
  /// The sources' smallest receive mark, see Hold.
  void set_mark(int messages) noexcept { m_hold.set_mark(messages); }
  /// What comes up is data too: it is never kept waiting for the next look at commands, counts
  /// for holds, and is held with the sources.
  void set_both_ways(bool on) noexcept { m_both_ways = on; }
  /// Leave `run` when a signal handler has run on this thread (with a waiter of Kind::poll).
  void return_on_signal(bool on) noexcept { m_return_on_signal = on; }

  // Steering: on the loop's thread, between its turns (from an `on_ready`).
  void pause() noexcept;
  void resume() noexcept;
  /// Takes nothing more from the sources.
  void terminate() noexcept;
  /// Goes on, resuming if paused, until the sources have nothing more or the deadline has passed.
  void drain(Nanoseconds deadline) noexcept;
  void fail(int error) noexcept;
  void set(const Tuning& tuning) noexcept;
  [[nodiscard]] const Tuning& tuning() const noexcept { return m_tuning; }
  /// Forwards from one frontend until it has nothing more, at most until the deadline.
  void take_all(Frontend& frontend, Nanoseconds deadline) noexcept;

  /// Forwards until something ends it.
  Ended run();
  /// After `run`: delivers what was accepted, frees the sinks' endpoints; at most until the
  /// deadline. True when all of it was done.
  bool close_down(Nanoseconds deadline);
  [[nodiscard]] int error() const noexcept { return m_error; }

 private:
  // What a turn forwarded; published once per turn.
  struct Tally {
    std::uint64_t received = 0;
    std::uint64_t received_bytes = 0;
    std::uint64_t sent = 0;
    std::uint64_t sent_bytes = 0;
  };
  enum class Step : std::uint8_t { forwarded, nothing, blocked };

  // loop.cpp: the turn
  bool forward();  // true: stopped by a knob, more may be waiting
  Step forward_some(Frontend& frontend, std::uint64_t limit) noexcept;
  Step deliver() noexcept;
  void offer_to_pending() noexcept;
  bool accepts(std::size_t i, sink::Offer offer) noexcept;
  Step settle() noexcept;
  void sent() noexcept;
  bool flush() noexcept;
  void publish() noexcept;
  [[nodiscard]] bool may_forward() const noexcept;
  // Messages between two looks at commands.
  [[nodiscard]] std::uint64_t budget() const noexcept;
  [[nodiscard]] bool any_ready() const noexcept;

  // loop_rest.cpp: looking and waiting
  void look() noexcept;
  void rest() noexcept;
  void end_turn(Nanoseconds t) noexcept;
  void ask() noexcept;
  void after_wait(Waiter::Outcome outcome) noexcept;
  void check_signals(Nanoseconds t) noexcept;
  bool pump_upstream(bool due) noexcept;
  void pump_sink(std::size_t i) noexcept;
  [[nodiscard]] bool any_pending() const noexcept;
  [[nodiscard]] bool any_look_due() const noexcept;
  void run_timers(Nanoseconds t) noexcept;
  [[nodiscard]] Nanoseconds next_deadline(Nanoseconds t) const noexcept;
  void check_drain(Nanoseconds t) noexcept;
  void start_hold(Nanoseconds t) noexcept;
  void end_hold() noexcept;

  void end(Ended how) noexcept;
  void set_state(RouteState state) noexcept;
  [[nodiscard]] RouteState state() const noexcept;

  Tuning m_tuning;
  LoopCounters& m_counters;
  Upstream& m_upstream;
  Waiter m_waiter;
  std::vector<Frontend*> m_frontends;
  std::vector<sink::Sink*> m_sinks;
  std::vector<std::size_t> m_numbers;   // of the sinks, for the upstream
  std::vector<sink::Sink*> m_retiring;  // neither offered to nor received from
  std::vector<Timed*> m_timed;
  Tap* m_tap = nullptr;

  Message m_message;            // in hand: read and not yet accepted by every sink
  std::uint64_t m_pending = 0;  // the sinks that have not taken it yet, a bit each
  Message m_up;                 // in hand upstream
  std::size_t m_up_sink = 0;
  bool m_up_in_hand = false;

  Hold m_hold;
  Tally m_tally;
  std::uint64_t m_since_look = 0;  // messages
  std::uint64_t m_in_turn = 0;     // messages
  std::size_t m_next_frontend = 0;
  Nanoseconds m_last_look = 0;
  Nanoseconds m_turn_start = 0;
  std::uint64_t m_turn_bursts = 0;  // when that turn began
  Nanoseconds m_hold_until = 0;
  Nanoseconds m_hold_start = 0;
  Nanoseconds m_turn_held = 0;  ///< the hold before this turn
  Nanoseconds m_blocked_since = 0;
  Nanoseconds m_drain_deadline = 0;
  Nanoseconds m_drain_quiet_until = 0;
  Nanoseconds m_last_signal_check = 0;
  bool m_both_ways = false;
  bool m_return_on_signal = false;
  Ended m_ended = Ended::running;
  int m_error = 0;
};

}  // namespace sluice::core
