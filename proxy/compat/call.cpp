// SPDX-License-Identifier: Apache-2.0
#include "compat/call.hpp"

#include "core/zmq/zmq_socket.hpp"
#include "syscalls/role.hpp"

#include <zmq.h>

#include <algorithm>
#include <cerrno>

namespace sluice::compat {
namespace {

using core::Waiter;

// Stock waits for a reader of the capture socket; programs rely on it when all start together.
constexpr std::size_t k_tap_backlog = 1000;

int mark_of(const SocketPair& pair) noexcept {
  const int frontend = core::int_option(pair.frontend, ZMQ_RCVHWM);
  const int backend = pair.both_ways ? core::int_option(pair.backend, ZMQ_RCVHWM) : 0;
  if (frontend <= 0 || backend <= 0) return std::max({frontend, backend, 0});
  return std::min(frontend, backend);
}

}  // namespace

Call::Call(void* frontend, void* backend, void* capture, void* control, const CallOptions& options)
    : m_signals(!options.continue_on_signal),
      m_pair(arrange(frontend, backend)),
      m_upstream(m_counters, options.max_topic),
      m_loop(options.tuning, m_counters, m_upstream, Waiter::Kind::poll),
      m_frontend(m_pair.frontend, m_loop.waiter()),
      m_backend(
          m_pair.backend, m_pair.both_ways ? Waiter::Watch::source : Waiter::Watch::other,
          m_pair.receives_up ? sink::SocketSink::Ways::as_type : sink::SocketSink::Ways::down) {
  m_backend.open(m_loop.waiter());
  m_loop.add(m_frontend);
  m_loop.add(m_backend);
  if (capture != nullptr) {
    m_tap.emplace(capture, m_loop.waiter(), m_counters.tap_dropped_messages, k_tap_backlog);
    m_loop.set_tap(&*m_tap);
  }
  m_upstream.attach(m_frontend, m_backend, m_tap ? &*m_tap : nullptr, m_pair);
  m_loop.add(m_upstream);
  m_loop.set_mark(mark_of(m_pair));
  m_loop.set_both_ways(m_pair.both_ways);
  m_loop.return_on_signal(!options.continue_on_signal);
  m_loop.waiter().set_signal_mask(m_signals.mask());
  if (control != nullptr) {
    m_steering.emplace(control, Steering::Call{m_loop, m_counters, m_upstream, frontend, backend,
                                               m_pair.swapped, m_pair.both_ways});
  }
}

int Call::run() {
  const syscalls::ForwardingScope role;
  using Ended = core::Loop::Ended;
  switch (m_loop.run()) {
    case Ended::terminated:
    case Ended::drained:
      return 0;
    case Ended::context_terminated:
      return ETERM;
    case Ended::interrupted:
      return EINTR;
    case Ended::failed:
    case Ended::running:
      break;
  }
  return m_loop.error();
}

}  // namespace sluice::compat
