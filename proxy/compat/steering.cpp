// SPDX-License-Identifier: Apache-2.0
#include "compat/steering.hpp"

#include "compat/knobs.hpp"
#include "core/control/status_json.hpp"
#include "core/zmq/zmq_socket.hpp"

#include <algorithm>
#include <cerrno>

namespace sluice::compat {
namespace {

using core::Outcome;

// DRAIN reads the sources for at most this long: half of the default linger.
constexpr core::Nanoseconds k_drain = 250 * core::k_millisecond;

Outcome unknown_route(std::string_view name) {
  return Outcome::refused("no route " + std::string{name} + ": this call has one, unnamed");
}

}  // namespace

Steering::Steering(void* control, const Call& call)
    : m_call(call),
      m_protocol(*this, {}),
      m_socket(control, m_protocol),
      m_fd(core::socket_fd(control)),
      m_start(core::now()) {
  m_call.loop.waiter().add(m_fd, EPOLLIN, *this);
  m_call.loop.add(*this);
}

Steering::~Steering() {
  m_call.loop.waiter().remove(m_fd, *this);
}

void Steering::serve() noexcept {
  using Result = core::ControlSocket::Result;
  const Result result = m_socket.on_readable();
  m_more = result == Result::more;
  if (result == Result::terminated) m_call.loop.fail(errno == ENOTSOCK ? ENOTSOCK : ETERM);
}

void Steering::on_ready(std::uint32_t /*events*/) noexcept {
  serve();
}

core::Nanoseconds Steering::next_time() const noexcept {
  return m_more ? 0 : core::k_never;
}

void Steering::on_time(core::Nanoseconds /*now*/) noexcept {
  serve();
}

Outcome Steering::pause(std::string_view route) {
  if (!route.empty()) return unknown_route(route);
  m_call.loop.pause();
  if (m_call.both_ways) m_call.upstream.pause(true);
  return Outcome::done();
}

Outcome Steering::resume(std::string_view route) {
  if (!route.empty()) return unknown_route(route);
  m_call.loop.resume();
  m_call.upstream.pause(false);
  return Outcome::done();
}

Outcome Steering::terminate(std::string_view route) {
  if (!route.empty()) return unknown_route(route);
  m_call.loop.terminate();
  return Outcome::done();
}

Outcome Steering::drain(std::string_view route) {
  if (!route.empty()) return unknown_route(route);
  m_call.upstream.pause(false);
  m_call.loop.drain(core::now() + k_drain);
  return Outcome::done();
}

core::StatisticsValues Steering::statistics() {
  SideStatistics frontend = m_call.counters.frontend.read();
  SideStatistics backend = m_call.counters.backend.read();
  if (m_call.swapped) std::swap(frontend, backend);
  return {frontend.received_messages, frontend.received_bytes,   frontend.sent_messages,
          frontend.sent_bytes,        backend.received_messages, backend.received_bytes,
          backend.sent_messages,      backend.sent_bytes};
}

Outcome Steering::status() {
  RouteStatus route;
  route.name = "default";
  route.state = m_call.counters.state.load();
  route.tuning = m_call.loop.tuning();
  route.statistics = m_call.counters.read();
  if (m_call.swapped) std::swap(route.statistics.frontend, route.statistics.backend);
  route.sources.push_back({"frontend", core::last_endpoint(m_call.frontend), "given", "open"});
  SinkStatus& sink = route.sinks.emplace_back();
  sink.name = "backend";
  sink.endpoints = {core::last_endpoint(m_call.backend)};
  core::ProcessStatus process;
  process.uptime = std::chrono::milliseconds{(core::now() - m_start) / core::k_millisecond};
  process.routes = {std::move(route)};
  process.syscalls = syscall_counts();
  return Outcome::done(core::status_json(process));
}

Outcome Steering::get(std::string_view key) {
  const auto value = get_knob(m_call.loop.tuning(), key);
  if (!value) return Outcome::refused("no key " + std::string{key} + " here");
  return Outcome::done(*value);
}

Outcome Steering::set(std::string_view key, std::string_view value) {
  Tuning tuning = m_call.loop.tuning();
  if (const auto problem = set_knob(tuning, key, value)) {
    return Outcome::refused(*problem);
  }
  m_call.loop.set(tuning);
  return Outcome::done();
}

Outcome Steering::attach(std::string_view /*route*/, std::string_view /*endpoint*/) {
  return Outcome::refused("the caller of this proxy owns its sockets: connect there");
}

Outcome Steering::detach(std::string_view /*route*/, std::string_view /*endpoint*/) {
  return Outcome::refused("the caller of this proxy owns its sockets: disconnect there");
}

Outcome Steering::reload() {
  return Outcome::refused("this proxy has no configuration file");
}

}  // namespace sluice::compat
