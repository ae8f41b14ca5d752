// SPDX-License-Identifier: Apache-2.0
#include "sink/zmq/zmq_sink.hpp"

#include "core/zmq/curve.hpp"
#include "core/zmq/link_options.hpp"

#include <zmq.h>

namespace sluice::sink {

ZmqSink::ZmqSink(const SinkOptions& options, const Environment& environment)
    : OwnedSocket{core::ZmqSocket{environment.context, ZMQ_XPUB}},
      SocketSink(m_owned.raw()),
      m_options(options),
      m_environment(environment),
      m_context(environment.context) {
  set_options();
}

void ZmqSink::set_options() {
  void* socket = m_owned.raw();
  core::set_option(socket, ZMQ_LINGER, 0, "ZMQ_LINGER");
  core::set_option(socket, ZMQ_SNDHWM, m_options.send_hwm, "ZMQ_SNDHWM");
  core::set_option(socket, ZMQ_RCVHWM, 0, "ZMQ_RCVHWM");
  core::set_option(socket, ZMQ_XPUB_NODROP, m_options.on_full == OnFull::block ? 1 : 0,
                   "ZMQ_XPUB_NODROP");
  core::set_option64(socket, ZMQ_MAXMSGSIZE, m_options.max_upstream_size, "ZMQ_MAXMSGSIZE");
  // Under block a PONG sits behind stopped input: heartbeats would cut a live peer. So would
  // TCP_USER_TIMEOUT, which ends a connection whose window stays shut that long.
  const auto liveness =
      m_options.on_full == OnFull::block ? core::Liveness::keepalive : core::Liveness::heartbeats;
  core::set_link_options(socket, m_options.link, liveness);
  core::set_curve(socket, m_options.curve);
}

void ZmqSink::open(core::Waiter& waiter) {
  m_endpoints.emplace(m_context, m_owned.raw(), waiter);
  m_endpoints->on_peer([this](bool came, const std::string& endpoint) {
    m_environment.report(Severity::debug, "sink " + m_options.name + ": a subscriber " +
                                              (came ? "connected at " : "left at ") + endpoint);
  });
  for (const auto& endpoint : m_options.bind) m_endpoints->bind(endpoint, m_options.ipc);
  for (const auto& endpoint : m_options.connect) m_endpoints->connect(endpoint);
  list_names();
  SocketSink::open(waiter);
}

void ZmqSink::list_names() {
  m_names.clear();
  for (const auto& entry : m_endpoints->entries()) m_names.push_back(entry.actual);
}

void ZmqSink::add_endpoint(const std::string& endpoint) {
  m_endpoints->bind(endpoint, m_options.ipc);
  list_names();
}

void ZmqSink::remove_endpoint(const std::string& endpoint) noexcept {
  m_endpoints->unbind(endpoint);
  list_names();
}

void ZmqSink::begin_close() noexcept {
  m_closing = true;
  if (m_endpoints) m_endpoints->remove_files();
}

void ZmqSink::retire(core::Nanoseconds deadline) noexcept {
  begin_close();
  close_socket(deadline - core::now());
}

/// Unbinding would cut the subscribers that came in there, with all that is queued for them; so the
/// socket is closed, with what remains of the linger, once it has taken the last message.
bool ZmqSink::flush(core::Nanoseconds deadline) noexcept {
  if (!m_closing || m_owned.raw() == nullptr) return true;
  // What it refused is not waited for when the context was shut down.
  if (!refused_last() || !core::process_commands(m_owned.raw())) {
    close_socket(deadline - core::now());
  }
  return true;
}

bool ZmqSink::closed() const noexcept {
  return !m_endpoints || (m_owned.raw() == nullptr && m_endpoints->gone());
}

void ZmqSink::close_socket(core::Nanoseconds linger) noexcept {
  if (m_owned.raw() == nullptr) return;
  stop_watching();
  mute(true);
  if (m_endpoints) m_endpoints->socket_closes();
  // Rounded up: what ends by itself is known from what ends with the time.
  const int milliseconds = linger <= 0 ? 0 : static_cast<int>(linger / core::k_millisecond) + 1;
  // Refused when the context was shut down: then nothing is to be waited for.
  const bool lives =
      zmq_setsockopt(m_owned.raw(), ZMQ_LINGER, &milliseconds, sizeof milliseconds) == 0;
  m_owned.close();
  if (!lives) m_endpoints.reset();
}

void ZmqSink::close(core::Nanoseconds linger) noexcept {
  if (m_owned.raw() != nullptr) {
    // Nobody will read its monitor: that ends first.
    stop_watching();
    m_endpoints.reset();
    const int milliseconds = linger <= 0 ? 0 : static_cast<int>(linger / core::k_millisecond);
    zmq_setsockopt(m_owned.raw(), ZMQ_LINGER, &milliseconds, sizeof milliseconds);
    m_owned.close();
  }
  m_endpoints.reset();
}

SinkStatus ZmqSink::status() const {
  SinkStatus status;
  status.name = m_options.name;
  status.engine = Engine::zmq;
  status.endpoints = m_names;
  status.on_full = m_options.on_full;
  status.peers = m_endpoints ? m_endpoints->connections() : 0;
  return status;
}

}  // namespace sluice::sink
