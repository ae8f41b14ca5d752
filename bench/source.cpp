// SPDX-License-Identifier: Apache-2.0
#include "source.hpp"

#include "core/clock.hpp"

#include <zmq.h>

#include <cerrno>
#include <cstring>
#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>

namespace sluice::bench {

namespace {

constexpr int k_send_timeout_ms = 50;

void sleep_until(std::int64_t ns) noexcept {
  timespec t{};
  t.tv_sec = ns / core::k_second;
  t.tv_nsec = ns % core::k_second;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

}  // namespace

Source::Source(void* context, std::uint16_t index, const std::string& endpoint, bool bind,
               int send_hwm)
    : m_socket(context, ZMQ_XPUB), m_index(index) {
  m_socket.set(ZMQ_XPUB_NODROP, 1);
  m_socket.set(ZMQ_SNDHWM, send_hwm);
  m_socket.set(ZMQ_SNDTIMEO, k_send_timeout_ms);
  m_socket.set(ZMQ_RCVHWM, 0);
  if (bind) {
    m_socket.bind(endpoint);
    m_endpoint = m_socket.last_endpoint();
  } else {
    m_socket.connect(endpoint);
    m_endpoint = endpoint;
  }
}

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
    drain_subscriptions();
    send(0, k_probe);
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
  }
}

void Source::rounds() {
  for (std::uint32_t done = 0;; ++done) {
    m_rounds.wait(done);  // one ticket for each message
    if (m_cancelled.load() || !send(core::now(), k_data)) return;
    ++m_sequence;
    m_sent.store(m_sequence, std::memory_order_relaxed);
  }
}

bool Source::send(std::int64_t sent_ns, std::uint16_t kind) {
  zmq_msg_t message;
  if (zmq_msg_init_size(&message, m_load.size) != 0) return false;
  auto* const bytes = static_cast<std::byte*>(zmq_msg_data(&message));
  std::memcpy(bytes, m_filler.data(), m_load.size);
  write_header(bytes, Header{m_sequence, sent_ns, m_index, kind});
  while (zmq_msg_send(&message, m_socket.get(), 0) < 0) {
    const bool again = zmq_errno() == EAGAIN || zmq_errno() == EINTR;
    if (!again || kind == k_probe || m_cancelled.load(std::memory_order_relaxed)) {
      zmq_msg_close(&message);
      return false;
    }
  }
  return true;
}

void Source::drain_subscriptions() noexcept {
  zmq_msg_t message;
  zmq_msg_init(&message);
  while (zmq_msg_recv(&message, m_socket.get(), ZMQ_DONTWAIT) >= 0) {
  }
  zmq_msg_close(&message);
}

}  // namespace sluice::bench
