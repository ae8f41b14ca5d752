// SPDX-License-Identifier: Apache-2.0
#include "core/route/source_socket.hpp"

#include "core/zmq/curve.hpp"
#include "core/zmq/link_options.hpp"

#include <zmq.h>

#include <utility>

namespace sluice::core {
namespace {

ZmqSocket make_socket(void* context, const SourceOptions& options) {
  ZmqSocket socket{context, ZMQ_XSUB};
  set_option(socket.raw(), ZMQ_LINGER, 0, "ZMQ_LINGER");
  set_option(socket.raw(), ZMQ_RCVHWM, options.recv_hwm, "ZMQ_RCVHWM");
  // XSUB silently drops the subscriptions that do not fit a pipe's mark when a source attaches.
  set_option(socket.raw(), ZMQ_SNDHWM, 0, "ZMQ_SNDHWM");
  set_option64(socket.raw(), ZMQ_MAXMSGSIZE, options.max_message_size, "ZMQ_MAXMSGSIZE");
  set_link_options(socket.raw(), options.link, Liveness::user_timeout);
  set_curve(socket.raw(), options.curve);
  return socket;
}

}  // namespace

SourceSocket::SourceSocket(void* context, const SourceOptions& options, Waiter& waiter,
                           std::function<void(Severity, const std::string&)> report)
    : m_options(options),
      m_report(std::move(report)),
      m_socket(make_socket(context, options)),
      m_endpoints(context, m_socket.raw(), waiter),
      m_waiter(waiter) {
  m_endpoints.on_peer([this](bool came, const std::string& endpoint) { tell(came, endpoint); });
  m_endpoints.on_touch([this] {
    if (m_frontend) m_frontend->touch();
  });
}

void SourceSocket::add(const std::vector<std::string>& bind,
                       const std::vector<std::string>& connect) {
  std::size_t bound = 0;
  std::size_t connected = 0;
  try {
    for (; bound < bind.size(); ++bound) m_endpoints.bind(bind[bound], m_options.ipc);
    for (; connected < connect.size(); ++connected) m_endpoints.connect(connect[connected]);
  } catch (...) {
    while (bound > 0) m_endpoints.unbind(bind[--bound]);
    while (connected > 0) m_endpoints.disconnect(connect[--connected]);
    throw;
  }
  m_options.bind.insert(m_options.bind.end(), bind.begin(), bind.end());
  m_options.connect.insert(m_options.connect.end(), connect.begin(), connect.end());
  m_frontend->touch();
}

// A message whose first frame libzmq has taken out already must be whole before its pipe is cut.
void SourceSocket::remove(const std::vector<std::string>& bind,
                          const std::vector<std::string>& connect) noexcept {
  for (const auto& endpoint : bind) {
    m_frontend->take_next();
    m_endpoints.unbind(endpoint);
    std::erase(m_options.bind, endpoint);
  }
  for (const auto& endpoint : connect) {
    m_frontend->take_next();
    m_endpoints.disconnect(endpoint);
    std::erase(m_options.connect, endpoint);
  }
  m_frontend->touch();
}

void SourceSocket::tell(bool came, const std::string& endpoint) {
  if (!m_report) return;
  m_report(Severity::debug, "source " + m_options.name + ": a publisher " +
                                (came ? "connected at " : "left at ") + endpoint);
}

void SourceSocket::start() {
  m_frontend.emplace(m_socket.raw(), m_waiter);
}

void SourceSocket::retire() noexcept {
  m_frontend.reset();
  m_endpoints.unbind_all();
}

void SourceSocket::open() {
  for (const auto& endpoint : m_options.bind) m_endpoints.bind(endpoint, m_options.ipc);
  for (const auto& endpoint : m_options.connect) m_endpoints.connect(endpoint);
}

void SourceSocket::append_status(std::vector<SourceStatus>& rows) const {
  for (const auto& entry : m_endpoints.entries()) {
    rows.push_back({m_options.name, entry.actual, entry.bound ? "bind" : "connect",
                    to_string(m_endpoints.state(entry))});
  }
}

}  // namespace sluice::core
