// SPDX-License-Identifier: Apache-2.0
#include "core/base/clock.hpp"
#include "paths/paths.hpp"
#include "socket.hpp"
#include "usage.hpp"

#include <sluice/route.hpp>

#include <algorithm>
#include <stdexcept>

namespace sluice::bench {

namespace {

constexpr const char* k_front = "inproc://route-front";

/// Our own Route with one bound source and one sink, on either engine.
class RoutePath final : public Path {
 public:
  RoutePath(void* context, PathOptions options, bool native)
      : m_context(context), m_options(std::move(options)), m_native(native) {}

  void start() override {
    const auto before = threads();
    try {
      m_route = std::make_unique<Route>(m_context, route_options());
      m_route->start();
    } catch (const ConfigError& error) {
      m_route.reset();
      // What a build without that engine says.
      if (m_native && error.field().ends_with("engine")) throw Unavailable(error.what());
      throw;
    }
    if (m_native && m_route->status().sinks.front().engine != Engine::native) {
      m_route.reset();
      throw Unavailable("the native engine is not in this build");
    }
    for (const pid_t thread : threads()) {
      const bool is_new = std::find(before.begin(), before.end(), thread) == before.end();
      if (is_new && !thread_name(thread).starts_with("ZMQbg")) m_threads.push_back(thread);
    }
  }

  void stop() override {
    if (!m_route) return;
    m_route->stop(std::chrono::seconds{5});
    m_route.reset();
  }

  [[nodiscard]] std::string source_endpoint(std::size_t /*index*/) const override {
    return k_front;
  }
  [[nodiscard]] std::vector<std::string> subscriber_endpoints() const override {
    return m_route->status().sinks.front().endpoints;
  }
  [[nodiscard]] std::vector<pid_t> forwarding_threads() const override { return m_threads; }

  [[nodiscard]] PathCounters counters() const override {
    const auto loop = m_route->statistics().loop;
    return {{"wakes", static_cast<double>(loop.wakes)},
            {"bursts", static_cast<double>(loop.bursts)},
            {"holds", static_cast<double>(loop.holds)},
            {"holds_cut", static_cast<double>(loop.holds_cut)},
            {"looks", static_cast<double>(loop.looks)}};
  }

  std::optional<std::chrono::nanoseconds> command() override {
    const auto begin = core::now();
    if (!m_route->ping(std::chrono::seconds{10})) throw std::runtime_error("no answer");
    return std::chrono::nanoseconds(core::now() - begin);
  }

 private:
  [[nodiscard]] RouteOptions route_options() const {
    RouteOptions options;
    options.name = "bench";
    options.tuning.inbound_poll_rate = m_options.inbound_poll_rate;
    options.tuning.max_command_delay = m_options.max_command_delay;
    if (m_options.adaptive) {
      options.tuning.mode = TuningMode::adaptive;
      options.tuning.latency_budget = m_options.hold;
    } else {
      options.tuning.coalesce_delay = m_options.hold;
    }
    SourceOptions source;
    source.name = "feed";
    source.bind = {k_front};
    source.recv_hwm = m_options.recv_hwm;
    options.sources.push_back(source);
    SinkOptions sink;
    sink.name = "edge";
    sink.engine = m_native ? Engine::native : Engine::zmq;
    sink.bind = {fresh_endpoint(m_options.transport)};
    sink.send_hwm = m_options.send_hwm;
    sink.out_batch = m_options.out_batch;
    sink.nodelay = m_options.nodelay;
    sink.on_full = m_options.block ? OnFull::block : OnFull::drop;
    options.sinks.push_back(sink);
    return options;
  }

  void* m_context;
  PathOptions m_options;
  bool m_native;
  std::unique_ptr<Route> m_route;
  std::vector<pid_t> m_threads;
};

}  // namespace

std::unique_ptr<Path> make_route_path(void* context, PathOptions options, bool native) {
  return std::make_unique<RoutePath>(context, std::move(options), native);
}

}  // namespace sluice::bench
