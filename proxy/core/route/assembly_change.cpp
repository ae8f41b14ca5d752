// SPDX-License-Identifier: Apache-2.0
// The parts of a route that come and go while it runs.
#include "core/route/assembly.hpp"
#include "core/route/sink_factory.hpp"

#include <algorithm>
#include <utility>

namespace sluice::core {
namespace {

// As for DETACH: what has arrived is forwarded for at most this long.
constexpr Nanoseconds k_patience = 10 * k_millisecond;
// Beyond the linger, for libzmq to tell that it is done.
constexpr Nanoseconds k_grace = 100 * k_millisecond;

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <typename Options>
std::vector<std::string> endpoints_of(const Options& options) {
  std::vector<std::string> all = options.bind;
  all.insert(all.end(), options.connect.begin(), options.connect.end());
  return all;
}

template <typename Options>
bool stands_in_the_way(const Options& old, const std::vector<std::string>& endpoints) {
  const auto mine = endpoints_of(old);
  return std::any_of(mine.begin(), mine.end(), [&](const auto& a) {
    return std::any_of(endpoints.begin(), endpoints.end(),
                       [&](const auto& b) { return in_the_way(a, b); });
  });
}

template <typename Parts, typename Name>
void sort_by(Parts& parts, const std::vector<std::string>& order, Name name) {
  std::stable_sort(parts.begin(), parts.end(), [&](const auto& a, const auto& b) {
    return std::find(order.begin(), order.end(), name(a)) <
           std::find(order.begin(), order.end(), name(b));
  });
}

}  // namespace

Assembly::SinkPart Assembly::make_sink(const SinkOptions& options) {
  SinkPart part{options, sink::make_sink(options, m_environment)};
  part.sink->open(m_loop.waiter());
  return part;
}

std::unique_ptr<SourceSocket> Assembly::make_source(SourceOptions options) {
  std::erase_if(options.connect, [this](const auto& endpoint) { return has_source(endpoint); });
  auto source = std::make_unique<SourceSocket>(
      m_context, options, m_loop.waiter(),
      [this](Severity severity, const std::string& text) { m_environment.report(severity, text); });
  source->open();
  return source;
}

void Assembly::adopt(SinkPart part) {
  part.number = m_loop.add(*part.sink);
  m_sinks.push_back(std::move(part));
}

void Assembly::adopt(std::unique_ptr<SourceSocket> source) {
  source->start();
  m_upstream.add(source->frontend());
  m_loop.add(source->frontend());
  source->frontend().touch();
  m_sources.push_back(std::move(source));
  update_mark();
}

void Assembly::adopt(std::unique_ptr<TapSocket> tap) {
  m_tap = std::move(tap);
  m_tap->tap.on_first_drop([this] {
    m_environment.report(Severity::warning, "tap " + m_tap->options.name +
                                                ": its reader is too slow or not there; copies are "
                                                "dropped, counted from now on");
  });
  m_loop.set_tap(&m_tap->tap);
}

// Whether a part that goes, and has not gone yet, holds one of the endpoints.
bool Assembly::blocked(const RouteChange& change, const std::vector<std::string>& endpoints) const {
  return std::any_of(m_sources.begin(), m_sources.end(),
                     [&](const auto& s) {
                       return has(change.old_sources, s->name()) &&
                              stands_in_the_way(s->options(), endpoints);
                     }) ||
         std::any_of(m_sinks.begin(), m_sinks.end(),
                     [&](const auto& s) {
                       return has(change.old_sinks, s.options.name) &&
                              stands_in_the_way(s.options, endpoints);
                     }) ||
         (change.old_tap && m_tap && stands_in_the_way(m_tap->options, endpoints));
}

// Nothing is ever in their way, so they are all opened by the first call.
void Assembly::stage_endpoints(const RouteChange& change) {
  if (m_endpoints_staged) return;
  for (const auto& more : change.sink_endpoints) {
    auto& part = *std::find_if(m_sinks.begin(), m_sinks.end(),
                               [&](const auto& s) { return s.options.name == more.name; });
    auto& staged = m_staged_sink_endpoints.emplace_back();
    staged.name = more.name;
    for (const auto& endpoint : more.bind) {
      part.sink->add_endpoint(endpoint);
      part.options.bind.push_back(endpoint);
      staged.unbind.push_back(endpoint);
    }
  }
  for (const auto& more : change.source_endpoints) {
    auto& source = **std::find_if(m_sources.begin(), m_sources.end(),
                                  [&](const auto& s) { return s->name() == more.name; });
    source.add(more.bind, more.connect);
    m_staged_source_endpoints.push_back({more.name, {}, more.bind, {}, more.connect});
  }
  m_endpoints_staged = true;
}

void Assembly::remove_endpoints(const std::vector<EndpointChange>& sources,
                                const std::vector<EndpointChange>& sinks) {
  for (const auto& less : sinks) {
    for (auto& part : m_sinks) {
      if (part.options.name != less.name) continue;
      for (const auto& endpoint : less.unbind) {
        part.sink->remove_endpoint(endpoint);
        std::erase(part.options.bind, endpoint);
      }
    }
  }
  for (const auto& less : sources) {
    if (less.unbind.empty() && less.disconnect.empty()) continue;
    for (const auto& source : m_sources) {
      if (source->name() != less.name || source.get() == m_attached) continue;
      m_loop.take_all(source->frontend(), now() + k_patience);
      source->remove(less.unbind, less.disconnect);
    }
  }
}

bool Assembly::stage(const RouteChange& change) {
  const auto staged = [](const auto& parts, const std::string& name, const auto& name_of) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const auto& part) { return name_of(part) == name; });
  };
  stage_endpoints(change);
  bool all = true;
  for (const auto& sink : change.new_sinks) {
    if (staged(m_staged_sinks, sink.name, [](const auto& s) { return s.options.name; })) continue;
    if (blocked(change, endpoints_of(sink))) {
      all = false;
    } else {
      m_staged_sinks.push_back(make_sink(sink));
    }
  }
  if (change.new_tap && !m_staged_tap) {
    if (blocked(change, endpoints_of(*change.new_tap))) {
      all = false;
    } else {
      m_staged_tap = std::make_unique<TapSocket>(m_context, *change.new_tap, m_loop.waiter(),
                                                 m_counters.tap_dropped_messages);
    }
  }
  for (const auto& source : change.new_sources) {
    if (staged(m_staged_sources, source.name, [](const auto& s) { return s->name(); })) continue;
    if (blocked(change, endpoints_of(source))) {
      all = false;
    } else {
      m_staged_sources.push_back(make_source(source));
    }
  }
  return all;
}

void Assembly::make_way(const RouteChange& change) {
  std::vector<std::string> wanted;
  const auto want = [&wanted](const auto& options) {
    const auto more = endpoints_of(options);
    wanted.insert(wanted.end(), more.begin(), more.end());
  };
  for (const auto& sink : change.new_sinks) want(sink);
  for (const auto& source : change.new_sources) want(source);
  if (change.new_tap) want(*change.new_tap);
  for (const auto& name : change.old_sinks) {
    const auto part = std::find_if(m_sinks.begin(), m_sinks.end(),
                                   [&](const auto& s) { return s.options.name == name; });
    if (part == m_sinks.end() || !stands_in_the_way(part->options, wanted)) continue;
    m_displaced_sinks.push_back(part->options);
    retire_sink(name);
  }
  for (const auto& name : change.old_sources) {
    const auto source = std::find_if(m_sources.begin(), m_sources.end(),
                                     [&](const auto& s) { return s->name() == name; });
    if (source == m_sources.end() || !stands_in_the_way((*source)->options(), wanted)) continue;
    m_displaced_sources.push_back((*source)->options());
    retire_source(name);
  }
  if (change.old_tap && m_tap && stands_in_the_way(m_tap->options, wanted)) {
    m_displaced_tap = m_tap->options;
    retire_tap();
  }
}

void Assembly::commit(const RouteChange& change, Nanoseconds linger) {
  m_options.linger = std::chrono::milliseconds(linger / k_millisecond);
  for (const auto& name : change.old_sinks) {
    const bool made_again = std::any_of(m_displaced_sinks.begin(), m_displaced_sinks.end(),
                                        [&](const auto& s) { return s.name == name; });
    if (!made_again) retire_sink(name);
  }
  for (auto& part : m_staged_sinks) adopt(std::move(part));
  m_staged_sinks.clear();
  if (change.old_tap && !m_displaced_tap) retire_tap();
  if (m_staged_tap) adopt(std::move(m_staged_tap));
  for (const auto& name : change.old_sources) {
    const bool made_again = std::any_of(m_displaced_sources.begin(), m_displaced_sources.end(),
                                        [&](const auto& s) { return s.name == name; });
    if (!made_again) retire_source(name);
  }
  for (auto& source : m_staged_sources) adopt(std::move(source));
  m_staged_sources.clear();
  remove_endpoints(change.source_endpoints, change.sink_endpoints);
  m_staged_source_endpoints.clear();
  m_staged_sink_endpoints.clear();
  m_endpoints_staged = false;
  for (const auto& sink : change.new_policies) set_on_full(sink.name, sink.on_full);
  m_upstream.set_static(change.old_topics, change.new_topics);
  m_displaced_sinks.clear();
  m_displaced_sources.clear();
  m_displaced_tap.reset();
  sort_by(m_sinks, change.sink_order, [](const auto& s) { return s.options.name; });
  sort_by(m_sources, change.source_order, [](const auto& s) { return s->name(); });
}

void Assembly::undo() {
  remove_endpoints(m_staged_source_endpoints, m_staged_sink_endpoints);
  m_staged_source_endpoints.clear();
  m_staged_sink_endpoints.clear();
  m_endpoints_staged = false;
  for (auto& part : m_staged_sinks) part.sink->close(0);
  m_staged_sinks.clear();
  m_staged_tap.reset();
  m_staged_sources.clear();
}

void Assembly::restore() {
  while (!m_displaced_sinks.empty()) {
    adopt(make_sink(m_displaced_sinks.back()));
    m_displaced_sinks.pop_back();
  }
  if (m_displaced_tap) {
    adopt(std::make_unique<TapSocket>(m_context, *m_displaced_tap, m_loop.waiter(),
                                      m_counters.tap_dropped_messages));
    m_displaced_tap.reset();
  }
  while (!m_displaced_sources.empty()) {
    adopt(make_source(m_displaced_sources.back()));
    m_displaced_sources.pop_back();
  }
}

std::vector<std::string> Assembly::lost() const {
  std::vector<std::string> names;
  for (const auto& sink : m_displaced_sinks) names.push_back("sink " + sink.name);
  if (m_displaced_tap) names.push_back("tap " + m_displaced_tap->name);
  for (const auto& source : m_displaced_sources) names.push_back("source " + source.name);
  return names;
}

void Assembly::retire_sink(const std::string& name) {
  const auto part = std::find_if(m_sinks.begin(), m_sinks.end(),
                                 [&](const auto& s) { return s.options.name == name; });
  if (part == m_sinks.end()) return;
  const Nanoseconds deadline = now() + to_ns(m_options.linger);
  m_loop.retire(*part->sink, deadline);
  m_upstream.remove_sink(part->number);
  auto& retired = m_retired.emplace_back();
  retired.deadline = deadline + k_grace;
  retired.sink = std::move(part->sink);
  m_sinks.erase(part);
}

void Assembly::retire_source(const std::string& name) {
  const auto source = std::find_if(m_sources.begin(), m_sources.end(), [&](const auto& s) {
    return s->name() == name && s.get() != m_attached;
  });
  if (source == m_sources.end()) return;
  m_loop.take_all((*source)->frontend(), now() + k_patience);
  m_upstream.remove((*source)->frontend());
  m_loop.remove((*source)->frontend());
  (*source)->retire();
  auto& retired = m_retired.emplace_back();
  retired.deadline = now() + to_ns(m_options.linger) + k_grace;
  retired.source = std::move(*source);
  m_sources.erase(source);
  update_mark();
}

void Assembly::retire_tap() {
  if (!m_tap) return;
  m_loop.set_tap(nullptr);
  m_tap->endpoints.unbind_all();
  auto& retired = m_retired.emplace_back();
  retired.deadline = now() + to_ns(m_options.linger) + k_grace;
  retired.tap = std::move(m_tap);
}

bool Assembly::Retired::gone() const {
  return (!sink || sink->closed()) && (!source || source->endpoints().free()) &&
         (!tap || tap->endpoints.free());
}

Nanoseconds Assembly::next_time() const noexcept {
  Nanoseconds when = k_never;
  for (const auto& retired : m_retired)
    when = std::min(when, retired.gone() ? 0 : retired.deadline);
  return when;
}

void Assembly::on_time(Nanoseconds time) noexcept {
  std::erase_if(m_retired, [&](Retired& retired) {
    if (!retired.gone() && time < retired.deadline) return false;
    if (retired.sink) {
      m_loop.forget(*retired.sink);
      retired.sink->close(0);
    }
    return true;
  });
}

}  // namespace sluice::core
