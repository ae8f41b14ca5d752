// SPDX-License-Identifier: Apache-2.0
#include "sink/native/native_sink.hpp"

#include "sink/native/engine.hpp"

#include <sluice/error.hpp>

#include <algorithm>
#include <fcntl.h>
#include <new>
#include <utility>

namespace sluice::sink {
namespace {

constexpr std::size_t k_read_per_turn = 128U << 10;
constexpr std::size_t k_peer_rows = 1000;

FanoutLimits fanout_limits(const SinkOptions& options, const Environment& environment) {
  FanoutLimits limits;
  if (options.send_hwm > 0) limits.queue.messages = static_cast<std::uint64_t>(options.send_hwm);
  if (options.send_hwm_bytes > 0) {
    limits.queue.bytes = static_cast<std::uint64_t>(options.send_hwm_bytes);
  }
  limits.max_topics = environment.max_subscriptions;
  limits.max_memberships = 8 * environment.max_subscriptions;
  return limits;
}

zmtp::SessionLimits session_limits(const SinkOptions& options) {
  zmtp::SessionLimits limits;
  if (options.max_upstream_size >= 0) {
    limits.max_frame = static_cast<std::uint64_t>(options.max_upstream_size);
    limits.max_message = std::max(limits.max_message, limits.max_frame);
  }
  return limits;
}

}  // namespace

NativeSink::NativeSink(const SinkOptions& options, const Environment& environment)
    : m_options(options),
      m_environment(environment),
      m_heartbeat_interval(core::to_ns(options.link.heartbeat_interval)),
      m_heartbeat_timeout(core::to_ns(options.link.heartbeat_timeout)),
      m_session_limits(session_limits(options)),
      m_fanout(fanout_limits(options, environment), options.on_full, *this),
      m_input(std::make_unique<std::array<std::byte, 32U << 10>>()),
      m_read_budget(k_read_per_turn) {
  if (m_heartbeat_timeout <= 0) m_heartbeat_timeout = 3 * m_heartbeat_interval;
}

NativeSink::~NativeSink() {
  close(0);
}

void NativeSink::open(core::Waiter& waiter) {
  std::vector<std::unique_ptr<Listener>> listeners;
  for (const auto& endpoint : m_options.bind) {
    listeners.push_back(std::make_unique<Listener>(endpoint, m_options.link, m_options.ipc,
                                                   static_cast<Acceptor&>(*this)));
  }
  for (auto& listener : listeners) {
    listener->start(waiter);
    m_endpoints.push_back(listener->endpoint());
  }
  m_waiter = &waiter;
  m_listeners = std::move(listeners);
  m_spare = core::Fd{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
}

void NativeSink::add_endpoint(const std::string& endpoint) {
  auto listener = std::make_unique<Listener>(endpoint, m_options.link, m_options.ipc,
                                             static_cast<Acceptor&>(*this));
  listener->start(*m_waiter);
  m_options.bind.push_back(endpoint);
  m_endpoints.push_back(listener->endpoint());
  m_listeners.push_back(std::move(listener));
}

void NativeSink::remove_endpoint(const std::string& endpoint) noexcept {
  const auto at = std::find(m_options.bind.begin(), m_options.bind.end(), endpoint);
  if (at == m_options.bind.end()) return;
  const auto i = at - m_options.bind.begin();
  const Listener* const gone = m_listeners[static_cast<std::size_t>(i)].get();
  for (std::size_t n = m_peers.size(); n-- > 0;) {
    if (m_peers[n]->listener == gone) part(*m_peers[n], Parting::sink_closed);
  }
  m_listeners.erase(m_listeners.begin() + i);
  m_endpoints.erase(m_endpoints.begin() + i);
  m_options.bind.erase(at);
}

Offer NativeSink::offer(core::Message& message, Hand hand) noexcept {
  if (m_now_is_old) {
    m_now = core::now();
    m_now_is_old = false;
  }
  m_outstanding = m_fanout.offer(message, hand == Hand::give, m_now) == Fanout::Offered::full;
  if (!m_outstanding) return Offer::taken;
  m_full_since = core::now();
  return Offer::full;
}

bool NativeSink::flush(core::Nanoseconds deadline) noexcept {
  reap();
  m_now_is_old = true;
  m_read_budget = k_read_per_turn;
  while (Stream* stream = m_fanout.next_ready()) {
    if (write(static_cast<Peer&>(*stream)) == Wrote::more) m_fanout.make_ready(*stream);
    if (core::now() >= deadline) return !m_fanout.anything_ready();
  }
  return true;
}

bool NativeSink::receive(core::Message& message) noexcept {
  if (m_upstream.empty()) return false;
  try {
    m_upstream.pop(message);
  } catch (const std::bad_alloc&) {
    message.clear();
    return false;
  }
  return true;
}

bool NativeSink::set_on_full(OnFull policy) noexcept {
  if (policy == OnFull::block || m_fanout.policy() == OnFull::block) {
    return policy == m_fanout.policy();
  }
  m_options.on_full = policy;
  m_fanout.set_policy(policy);
  return true;
}

void NativeSink::on_topic(bool subscribed, std::string topic) {
  if (m_retired) return;
  m_upstream.push_topic(subscribed, std::move(topic));
}

void NativeSink::on_relieve(Stream& stream) noexcept {
  m_fanout.make_unready(stream);
  if (write(static_cast<Peer&>(stream)) == Wrote::more) m_fanout.make_ready(stream);
}

void NativeSink::on_fall_off(Stream& stream) noexcept {
  log(m_drops, Severity::warning,
      "subscriber " + static_cast<Peer&>(stream).address + " is too slow and misses messages");
}

void NativeSink::on_disconnect(Stream& stream) noexcept {
  part(static_cast<Peer&>(stream), Parting::queue_full);
}

void NativeSink::log(RateLog& rate, Severity severity, const std::string& text) const noexcept {
  const std::uint64_t since = rate.note(core::now());
  if (since == 0) return;
  const std::string more =
      since > 1 ? " (and " + std::to_string(since - 1) + " like it since the last such line)" : "";
  m_environment.report(severity, "sink " + m_options.name + ": " + text + more);
}

void NativeSink::tell(const Peer& peer, const char* what) const noexcept {
  try {
    m_environment.report(Severity::debug,
                         "sink " + m_options.name + ": subscriber " + peer.address + ' ' + what);
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): no memory for a line
  }
}

SinkStatus NativeSink::status() const {
  SinkStatus status;
  status.name = m_options.name;
  status.engine = Engine::native;
  status.endpoints = m_endpoints;
  status.on_full = m_fanout.policy();
  status.peers = m_handshaken;
  status.subscriptions = m_fanout.topics();
  status.delivered_messages = m_fanout.delivered();
  auto& partings = status.partings.emplace();
  for (std::size_t i = 0; i < k_partings; ++i) {
    const std::uint64_t count = m_partings[i].total();
    if (count != 0) partings[word_of(static_cast<Parting>(i))] = count;
  }
  auto& table = status.peer_table.emplace();
  std::uint64_t dropped = m_dropped_by_gone;
  const core::Nanoseconds now = core::now();
  for (const auto& peer : m_peers) {
    if (peer->group == nullptr) continue;
    const std::uint64_t missed = peer->group->dropped(*peer);
    dropped += missed;
    if (table.size() == k_peer_rows) continue;
    PeerStatus row;
    row.address = peer->address;
    row.subscriptions = peer->group->topics.size();
    row.queued_messages = peer->group->queued_messages(*peer);
    row.queued_bytes = peer->group->queued_bytes(*peer);
    const core::Nanoseconds oldest = peer->group->oldest(*peer);
    if (oldest != 0 && row.queued_messages != 0) {
      row.queue_age_us = static_cast<std::uint64_t>(std::max<core::Nanoseconds>(now - oldest, 0)) /
                         static_cast<std::uint64_t>(core::k_microsecond);
    }
    row.delivered_messages = peer->delivered + peer->cursor.done - peer->cursor.counted;
    row.dropped_messages = missed;
    table.push_back(std::move(row));
  }
  status.dropped_messages = dropped;
  return status;
}

std::unique_ptr<Sink> make_native_sink(const SinkOptions& options, const Environment& environment) {
  const auto refuse = [&options](const char* field, const std::string& why) {
    throw ConfigError("sink." + options.name + "." + field, why);
  };
  if (!options.connect.empty()) refuse("connect", "the native engine binds only");
  if (options.bind.empty()) refuse("bind", "an endpoint is missing");
  for (const auto& endpoint : options.bind) {
    if (!endpoint.starts_with("tcp://") && !endpoint.starts_with("ipc://")) {
      refuse("bind", endpoint + ": the native engine binds tcp:// and ipc:// only");
    }
  }
  return std::make_unique<NativeSink>(options, environment);
}

}  // namespace sluice::sink
