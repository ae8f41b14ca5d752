// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include "core/base/clock.hpp"

#include <cerrno>
#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>
#include <utility>

namespace sluice::bench {

namespace {

void sleep_until(std::int64_t ns) noexcept {
  timespec t{};
  t.tv_sec = ns / core::k_second;
  t.tv_nsec = ns % core::k_second;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

}  // namespace

Source::Source(std::uint16_t index, std::unique_ptr<Outlet> outlet)
    : m_outlet(std::move(outlet)), m_index(index) {}

Source::~Source() {
  cancel();
  if (m_thread.joinable()) {
    if (m_phase.load() != running) go(0);
    m_thread.join();
  }
}

void Source::start(const Load& load) {
  m_load = load;
  m_filler.assign(load.size, 'x');
  m_thread = std::thread([this] { run(); });
}

void Source::end_probes() {
  m_phase.store(quiet);
  m_probes_ended.wait(false);
}

void Source::go(std::int64_t start_ns) {
  m_start_ns = start_ns;
  m_phase.store(running);
  m_phase.notify_all();
}

void Source::send_one() {
  m_rounds.fetch_add(1);
  m_rounds.notify_all();
}

void Source::cancel() noexcept {
  m_cancelled.store(true);
  m_rounds.fetch_add(1);
  m_rounds.notify_all();
}

void Source::join() {
  m_thread.join();
}

void Source::run() {
  pthread_setname_np(pthread_self(), "bench-source");
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  probe();
  m_probes_ended.store(true);
  m_probes_ended.notify_all();
  for (Phase phase = m_phase.load(); phase != running; phase = m_phase.load()) m_phase.wait(phase);
  if (m_cancelled.load()) return;
  m_sequence = 0;
  switch (m_load.kind) {
    case Load::Kind::flood:
      flood();
      break;
    case Load::Kind::paced:
      paced();
      break;
    case Load::Kind::rounds:
      rounds();
      break;
  }
}

void Source::probe() {
  while (m_phase.load(std::memory_order_relaxed) == probing) {
    m_outlet->drain();
    if (send(0, k_probe)) m_outlet->flush();
    sleep_until(core::now() + m_load.probe_interval.count());
  }
}

void Source::flood() {
  const std::int64_t end = core::now() + m_load.duration.count();
  while (!m_cancelled.load(std::memory_order_relaxed)) {
    // The clock is read for the messages that carry it only.
    std::int64_t sent_ns = 0;
    if (m_sequence % m_load.time_every == 0) {
      sent_ns = core::now();
      if (sent_ns >= end) break;
    }
    if (!send(sent_ns, k_data)) break;
    ++m_sequence;
    m_sent.store(m_sequence, std::memory_order_relaxed);
  }
  flush();
}

void Source::paced() {
  const auto burst = m_load.burst;
  const auto interval = static_cast<double>(core::k_second) * static_cast<double>(burst) /
                        static_cast<double>(m_load.rate);
  for (std::uint64_t tick = 0;; ++tick) {
    const auto offset = static_cast<std::int64_t>(interval * static_cast<double>(tick));
    if (offset >= m_load.duration.count()) break;
    const std::int64_t due = m_start_ns + offset;
    // Late ticks are sent at once and carry the time they were due: no coordinated omission.
    if (core::now() < due) sleep_until(due);
    for (std::uint64_t i = 0; i < burst; ++i) {
      if (m_cancelled.load(std::memory_order_relaxed) || !send(due, k_data)) return;
      ++m_sequence;
      m_sent.store(m_sequence, std::memory_order_relaxed);
    }
    if (!flush()) return;
  }
}

void Source::rounds() {
  for (std::uint32_t done = 0;; ++done) {
    m_rounds.wait(done);  // one ticket for each message
    if (m_cancelled.load() || !send(core::now(), k_data) || !flush()) return;
    ++m_sequence;
    m_sent.store(m_sequence, std::memory_order_relaxed);
  }
}

bool Source::send(std::int64_t sent_ns, std::uint16_t kind) {
  const Header header{m_sequence, sent_ns, m_index, kind};
  for (;;) {
    const auto result = m_outlet->send(header, m_filler);
    if (result == Outlet::Result::sent) return true;
    const bool again = result == Outlet::Result::full && kind != k_probe;
    if (!again || m_cancelled.load(std::memory_order_relaxed)) return false;
  }
}

bool Source::flush() {
  for (;;) {
    const auto result = m_outlet->flush();
    if (result == Outlet::Result::sent) return true;
    if (result == Outlet::Result::failed || m_cancelled.load(std::memory_order_relaxed)) {
      return false;
    }
  }
}

}  // namespace sluice::bench
