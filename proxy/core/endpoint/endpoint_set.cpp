// SPDX-License-Identifier: Apache-2.0
#include "core/endpoint/endpoint_set.hpp"

#include "core/endpoint/endpoint_name.hpp"
#include "core/zmq/zmq_socket.hpp"

#include <sluice/error.hpp>

#include <zmq.h>

#include <algorithm>
#include <cerrno>

namespace sluice::core {
namespace {

std::string advice(const std::string& endpoint, int error) {
  if (error == ENODEV && transport_of(endpoint) == Transport::tcp) {
    return "no such device: \"" + std::string{address_of(endpoint)} +
           "\" names no local address; use an IP address, an interface name or *";
  }
  if (error == EINVAL) return "not a valid endpoint (transport://address)";
  return zmq_strerror(error);
}

[[noreturn]] void fail(const std::string& endpoint, int error, const char* verb) {
  throw EndpointError(endpoint, error, std::string{verb} + ": " + advice(endpoint, error));
}

}  // namespace

const char* to_string(EndpointSet::State state) noexcept {
  switch (state) {
    case EndpointSet::State::listening:
      return "listening";
    case EndpointSet::State::connected:
      return "connected";
    case EndpointSet::State::waiting:
      return "waiting";
  }
  return "waiting";
}

void EndpointSet::watch(const std::string& endpoint) {
  if (transport_of(endpoint) != Transport::inproc && !m_monitor) {
    m_monitor = std::make_unique<Monitor>(m_context, m_socket, m_waiter);
    m_monitor->on_peer(m_told);
  }
  set_option(m_socket, ZMQ_IPV6, needs_ipv6(endpoint) ? 1 : 0, "ZMQ_IPV6");
}

void EndpointSet::bind(const std::string& endpoint, const IpcFileOptions& file) {
  watch(endpoint);
  Entry entry;
  entry.given = normalised(endpoint);
  entry.bound = true;
  if (transport_of(endpoint) == Transport::ipc) {
    auto listener = listen_ipc(endpoint, file);
    set_option(m_socket, ZMQ_USE_FD, listener.fd.get(), "ZMQ_USE_FD");
    const int rc = zmq_bind(m_socket, listener.endpoint.c_str());
    const int error = errno;
    set_option(m_socket, ZMQ_USE_FD, -1, "ZMQ_USE_FD");
    if (rc != 0) fail(endpoint, error, "cannot bind");
    static_cast<void>(listener.fd.release());  // libzmq's listener closes it
    entry.file = std::move(listener.guard);
    entry.actual = listener.endpoint;
  } else {
    if (zmq_bind(m_socket, endpoint.c_str()) != 0) fail(endpoint, errno, "cannot bind");
    entry.actual = last_endpoint(m_socket);
  }
  m_entries.push_back(std::move(entry));
}

EndpointSet::State EndpointSet::connect(const std::string& endpoint) {
  const auto name = normalised(endpoint);
  const auto known = std::find_if(m_entries.begin(), m_entries.end(),
                                  [&](const Entry& e) { return !e.bound && e.given == name; });
  if (known != m_entries.end()) return state(*known);
  Entry entry;
  entry.given = entry.actual = name;
  if (transport_of(endpoint) == Transport::inproc) {
    entry.probe = std::make_unique<InprocProbe>(m_context, name, m_waiter,
                                                [this, name] { connect_found(name); });
  } else {
    watch(endpoint);
    if (zmq_connect(m_socket, endpoint.c_str()) != 0) fail(endpoint, errno, "cannot connect");
  }
  m_entries.push_back(std::move(entry));
  return state(m_entries.back());
}

// Only once the name is bound: a connect that waits cannot be taken back. The pipe of an owner that
// has gone is not cut: what it still holds is read, then it ends.
void EndpointSet::connect_found(const std::string& name) {
  if (m_pending.erase(name) == 0 && !connect_inproc(m_socket, name)) {
    m_pending.insert(name);  // the owner went just now: libzmq waits for the next one
  }
  if (m_touched) m_touched();
}

bool EndpointSet::disconnect(const std::string& endpoint) {
  const auto name = normalised(endpoint);
  const auto it = std::find_if(m_entries.begin(), m_entries.end(),
                               [&](const Entry& e) { return !e.bound && e.given == name; });
  if (it == m_entries.end()) return false;
  const bool waits = it->probe && !it->probe->connected();
  if (!waits) zmq_disconnect(m_socket, it->given.c_str());  // ENOENT: the source has gone already
  m_entries.erase(it);
  return true;
}

void EndpointSet::unbind_all() noexcept {
  for (auto& entry : m_entries) {
    if (entry.bound) unbind(entry);
  }
}

void EndpointSet::unbind(Entry& entry) noexcept {
  entry.file.remove();
  if (zmq_unbind(m_socket, entry.actual.c_str()) == 0 &&
      transport_of(entry.actual) != Transport::inproc) {
    m_unbinding.push_back(entry.actual);
  }
  entry.bound = false;
}

void EndpointSet::unbind(const std::string& endpoint) noexcept {
  const auto name = normalised(endpoint);
  const auto it = std::find_if(m_entries.begin(), m_entries.end(),
                               [&](const Entry& e) { return e.bound && e.given == name; });
  if (it == m_entries.end()) return;
  unbind(*it);
  m_entries.erase(it);
  if (m_touched) m_touched();
}

void EndpointSet::remove_files() noexcept {
  for (auto& entry : m_entries) entry.file.remove();
}

void EndpointSet::socket_closes() noexcept {
  remove_files();
  for (auto& entry : m_entries) {
    entry.bound = false;
    entry.probe.reset();
  }
  if (m_monitor) m_monitor->socket_closes();
}

bool EndpointSet::free() const {
  return std::all_of(m_unbinding.begin(), m_unbinding.end(),
                     [&](const auto& e) { return m_monitor->is_closed(e); });
}

EndpointSet::State EndpointSet::state(const Entry& entry) const {
  if (entry.bound) return State::listening;
  if (entry.probe) return entry.probe->connected() ? State::connected : State::waiting;
  if (!m_monitor) return State::waiting;
  if (m_monitor->is_connected(entry.given)) return State::connected;
  // A name that libzmq has resolved is reported by its address; with one endpoint there is no
  // doubt.
  const auto remote = std::count_if(m_entries.begin(), m_entries.end(), [](const Entry& e) {
    return !e.bound && transport_of(e.given) != Transport::inproc;
  });
  return remote == 1 && m_monitor->connected() > 0 ? State::connected : State::waiting;
}

bool EndpointSet::has(const std::string& endpoint) const {
  const auto name = normalised(endpoint);
  return std::any_of(m_entries.begin(), m_entries.end(),
                     [&](const Entry& e) { return e.given == name || e.actual == name; });
}

std::size_t EndpointSet::connections() const noexcept {
  return m_monitor ? m_monitor->accepted() + m_monitor->connected() : 0;
}

}  // namespace sluice::core
