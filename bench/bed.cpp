// SPDX-License-Identifier: Apache-2.0
#include "bed.hpp"

#include "core/base/clock.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace sluice::bench {

namespace {

using namespace std::chrono_literals;

constexpr auto k_ready_timeout = 120s;
constexpr auto k_finish_timeout = 60s;
constexpr auto k_round_timeout = 10s;
// A paced load begins a little later, when all source threads wait for their first moment.
constexpr std::int64_t k_paced_lead_ns = 2 * core::k_millisecond;
constexpr std::chrono::nanoseconds k_probe_interval = 5ms;
constexpr std::chrono::nanoseconds k_probe_share = 100us;  // for one subscriber

/// Null: the one that was asked for.
const char* receiver_kind(Wire wire) noexcept {
  switch (wire) {
    case Wire::nats:
      return "nats";
    case Wire::mqtt:
      return "mqtt";
    case Wire::sp:
      return "sp";
    case Wire::plain:
      return "plain";
    case Wire::multicast:
      return "multicast";
    case Wire::zmtp:
      break;
  }
  return nullptr;
}

}  // namespace

Bed::Bed(Setup setup)
    : m_setup(std::move(setup)), m_path(make_path(m_setup.variant, m_context.get(), m_setup.path)) {
  m_path->start();
  m_forwarding = m_path->forwarding_threads();
  open_sources();
  const Memory before = read_memory();
  if (!m_path->is_receiver()) open_receivers();
  // Every probe goes to everybody: few enough of them not to be a flood.
  m_setup.load.probe_interval =
      std::max(k_probe_interval, k_probe_share * static_cast<int>(m_setup.receiver.subscribers));
  for (auto& source : m_sources) source->start(m_setup.load);
  wait_probed();
  for (auto& source : m_sources) source->end_probes();
  if (m_setup.receiver.idle != 0) m_memory = settled_memory() - before;
}

Bed::~Bed() {
  for (auto& source : m_sources) source->cancel();
  m_sources.clear();
  m_receivers.reset();
  m_path->stop();
}

void Bed::open_sources() {
  for (std::size_t i = 0; i < m_setup.path.sources; ++i) {
    m_sources.push_back(std::make_unique<Source>(static_cast<std::uint16_t>(i), make_outlet(i)));
  }
}

std::unique_ptr<Outlet> Bed::make_outlet(std::size_t index) {
  const auto endpoint = m_path->source_endpoint(index);
  switch (m_path->wire()) {
    case Wire::nats:
      return make_nats_outlet(endpoint);
    case Wire::mqtt:
      return make_mqtt_outlet(endpoint);
    case Wire::sp:
      return make_sp_outlet(endpoint);
    case Wire::plain:
      return make_plain_outlet(endpoint, m_setup.path.plain);
    case Wire::multicast:
      return make_multicast_outlet(endpoint);
    case Wire::zmtp:
      break;
  }
  const bool bind = m_path->sources_bind();
  return make_zmq_outlet(m_context.get(), endpoint, bind,
                         bind ? m_setup.path.send_hwm : m_setup.source_hwm);
}

void Bed::open_receivers() {
  auto options = m_setup.receiver;
  options.sources = m_setup.path.sources;
  options.endpoints = m_path->subscriber_endpoints();
  if (const char* const kind = receiver_kind(m_path->wire())) options.kind = kind;
  if (m_path->sources_bind()) {
    for (const auto& source : m_sources) options.endpoints.push_back(source->endpoint());
  }
  m_receivers = std::make_unique<Receivers>(options);
  m_receivers->wait_connected(k_ready_timeout);
}

void Bed::wait_probed() {
  if (m_receivers) {
    m_receivers->wait_ready(k_ready_timeout);
    return;
  }
  const auto end = std::chrono::steady_clock::now() + k_ready_timeout;
  while (m_path->probed_sources() < m_sources.size()) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("no probe arrived");
    std::this_thread::sleep_for(1ms);
  }
}

void Bed::begin() {
  m_counters_before = m_path->counters();
  m_before = read_usage(m_forwarding);
  m_process_cpu_before_ns = process_cpu_ns(m_path->process());
  m_begin_ns = core::now();
  if (m_setup.load.kind == Load::Kind::paced) m_begin_ns += k_paced_lead_ns;
  const auto interval = m_setup.load.rate == 0
                            ? 0
                            : static_cast<std::int64_t>(m_setup.load.burst) * core::k_second /
                                  static_cast<std::int64_t>(m_setup.load.rate);
  const auto count = static_cast<std::int64_t>(m_sources.size());
  std::int64_t index = 0;
  // The sources of a paced load are evenly out of step with each other.
  for (auto& source : m_sources) source->go(m_begin_ns + interval * index++ / count);
}

Outcome Bed::measure() {
  begin();
  return finish();
}

Outcome Bed::measure(const std::function<void(Path&)>& meanwhile) {
  begin();
  const auto end = m_begin_ns + m_setup.load.duration.count();
  while (core::now() < end) meanwhile(*m_path);
  return finish();
}

Outcome Bed::finish() {
  std::vector<std::uint64_t> sent;
  for (auto& source : m_sources) {
    source->join();
    sent.push_back(source->sent());
  }
  Outcome outcome;
  outcome.sent = std::accumulate(sent.begin(), sent.end(), std::uint64_t{0});
  const Report report = collect(sent);
  const Usage after = read_usage(m_forwarding);
  outcome.spent = spent(m_before, after);
  if (const pid_t process = m_path->process(); process != 0) {
    const auto cpu_ns = process_cpu_ns(process) - m_process_cpu_before_ns;
    if (cpu_ns <= 0) throw std::runtime_error("the intermediary has ended");
    outcome.intermediary = {static_cast<double>(cpu_ns), process_memory(process)};
  }
  outcome.counters = m_path->counters();
  for (auto& [name, value] : outcome.counters) value -= m_counters_before[name];
  outcome.seconds =
      static_cast<double>(report.last_ns - m_begin_ns) / static_cast<double>(core::k_second);
  outcome.delivered = report.messages;
  const auto subscribers = m_path->is_receiver() ? 1 : m_setup.receiver.subscribers;
  outcome.lost = outcome.sent * subscribers - report.messages;
  outcome.disorder = report.disorder;
  outcome.latency = report.latency;
  outcome.first = report.first;
  outcome.last = report.last;
  return outcome;
}

Report Bed::collect(const std::vector<std::uint64_t>& sent) {
  if (m_receivers) return m_receivers->finish(sent, k_finish_timeout);
  const auto total = std::accumulate(sent.begin(), sent.end(), std::uint64_t{0});
  const auto end = std::chrono::steady_clock::now() + k_finish_timeout;
  while (m_path->received() < total) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("messages are missing");
    std::this_thread::sleep_for(1ms);
  }
  Report report;
  report.messages = m_path->received();
  report.last_ns = m_path->last_received_ns();
  return report;
}

Outcome Bed::measure_rounds() {
  auto& source = *m_sources.front();
  begin();
  const auto end = m_begin_ns + m_setup.load.duration.count();
  do {
    std::this_thread::sleep_for(m_setup.round_gap);
    source.send_one();
    m_receivers->wait_round(k_round_timeout);
  } while (core::now() < end);
  source.cancel();
  return finish();
}

}  // namespace sluice::bench
