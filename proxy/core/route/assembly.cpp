// SPDX-License-Identifier: Apache-2.0
#include "core/route/assembly.hpp"

#include "core/endpoint/endpoint_name.hpp"
#include "core/route/sink_factory.hpp"

#include <zmq.h>

#include <algorithm>

namespace sluice::core {
namespace {

// DETACH forwards what has arrived for at most this long.
constexpr Nanoseconds k_detach_patience = 10 * k_millisecond;

int type_of(TapType type) noexcept {
  switch (type) {
    case TapType::push:
      return ZMQ_PUSH;
    case TapType::pub:
      return ZMQ_PUB;
    case TapType::pair:
      return ZMQ_PAIR;
  }
  return ZMQ_PUSH;
}

ZmqSocket make_tap_socket(void* context, const TapOptions& options) {
  ZmqSocket socket{context, type_of(options.type)};
  set_option(socket.raw(), ZMQ_LINGER, 0, "ZMQ_LINGER");
  set_option(socket.raw(), ZMQ_SNDHWM, options.send_hwm, "ZMQ_SNDHWM");
  return socket;
}

int smallest_mark(const std::vector<std::unique_ptr<SourceSocket>>& sources) {
  int mark = 0;
  for (const auto& source : sources) {
    if (source->recv_hwm() > 0)
      mark = mark == 0 ? source->recv_hwm() : std::min(mark, source->recv_hwm());
  }
  return mark;
}

}  // namespace

Assembly::TapSocket::TapSocket(void* context, const TapOptions& options_given, Waiter& waiter,
                               Counter& dropped)
    : options(options_given),
      socket(make_tap_socket(context, options)),
      endpoints(context, socket.raw(), waiter),
      tap(socket.raw(), waiter, dropped) {
  for (const auto& endpoint : options.bind) endpoints.bind(endpoint, options.ipc);
  for (const auto& endpoint : options.connect) endpoints.connect(endpoint);
}

Assembly::Assembly(void* context, const RouteOptions& options, LoopCounters& counters)
    : m_context(context),
      m_options(options),
      m_environment{context, options.name, options.max_topic, options.max_subscriptions,
                    options.on_event},
      m_upstream(options, counters),
      m_loop(options.tuning, counters, m_upstream),
      m_counters(counters) {
  m_loop.add(static_cast<Timed&>(*this));
}

void Assembly::open() {
  // Sinks first: by the time a source can send, its messages have somewhere to go.
  for (const auto& sink : m_options.sinks) adopt(make_sink(sink));
  if (m_options.tap) {
    adopt(std::make_unique<TapSocket>(m_context, *m_options.tap, m_loop.waiter(),
                                      m_counters.tap_dropped_messages));
  }
  for (auto source : m_options.sources) {
    // A source that several sections name is connected once: twice would deliver twice.
    std::erase_if(source.connect, [this](const auto& endpoint) { return has_source(endpoint); });
    add_source(source).open();
  }
}

Assembly::~Assembly() {
  undo();
  for (auto& retired : m_retired) {
    if (retired.sink) retired.sink->close(0);
  }
  for (auto& part : m_sinks) part.sink->close(0);
}

SourceSocket& Assembly::add_source(const SourceOptions& options) {
  auto& source = *m_sources.emplace_back(std::make_unique<SourceSocket>(
      m_context, options, m_loop.waiter(), [this](Severity severity, const std::string& text) {
        m_environment.report(severity, text);
      }));
  source.start();
  m_upstream.add(source.frontend());
  m_loop.add(source.frontend());
  update_mark();
  return source;
}

void Assembly::update_mark() {
  m_loop.set_mark(smallest_mark(m_sources));
}

bool Assembly::has_source(const std::string& endpoint) const {
  return std::any_of(m_sources.begin(), m_sources.end(),
                     [&](const auto& source) { return source->endpoints().has(endpoint); });
}

AttachResult Assembly::attach(const std::string& endpoint) {
  if (has_source(endpoint)) return AttachResult::present;
  if (m_attached == nullptr) {
    SourceOptions options;
    options.name = "attached";
    m_attached = &add_source(options);
  }
  const auto state = m_attached->endpoints().connect(endpoint);
  m_attached->frontend().touch();
  return state == EndpointSet::State::connected ? AttachResult::connected : AttachResult::waiting;
}

DetachResult Assembly::detach(const std::string& endpoint) {
  for (const auto& source : m_sources) {
    const auto& entries = source->endpoints().entries();
    const auto name = normalised(endpoint);
    if (std::none_of(entries.begin(), entries.end(),
                     [&](const auto& e) { return !e.bound && e.given == name; })) {
      continue;
    }
    m_loop.take_all(source->frontend(), now() + k_detach_patience);
    source->frontend().take_next();
    source->endpoints().disconnect(endpoint);
    source->frontend().touch();
    return DetachResult::detached;
  }
  return DetachResult::unknown;
}

bool Assembly::set_on_full(std::string_view name, OnFull policy) {
  for (auto& part : m_sinks) {
    if (part.options.name != name) continue;
    if (part.sink->set_on_full(policy)) {
      part.options.on_full = policy;
      return true;
    }
    throw ConfigError("sink." + std::string{name} + ".on_full",
                      "can be changed only between drop and disconnect, on a native sink");
  }
  return false;
}

void Assembly::append_status(RouteStatus& status) const {
  for (const auto& source : m_sources) source->append_status(status.sources);
  for (const auto& part : m_sinks) {
    auto& row = status.sinks.emplace_back(part.sink->status());
    if (row.engine == Engine::zmq) row.subscriptions = m_upstream.topics(part.number);
  }
}

bool Assembly::close_down(Nanoseconds deadline) {
  for (auto& source : m_sources) source->endpoints().unbind_all();
  if (m_tap) m_tap->endpoints.unbind_all();
  bool done = m_loop.close_down(deadline);
  const auto all_free = [this] {
    return (!m_tap || m_tap->endpoints.free()) &&
           std::all_of(m_sources.begin(), m_sources.end(),
                       [](const auto& s) { return s->endpoints().free(); });
  };
  while (!all_free()) {
    if (now() >= deadline ||
        m_loop.waiter().wait(Waiter::Scope::without_sources, deadline) == Waiter::Outcome::failed) {
      done = false;
      break;
    }
  }
  for (auto& part : m_sinks) part.sink->close(deadline - now());
  return done;
}

}  // namespace sluice::core
