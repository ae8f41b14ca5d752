// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/loop/loop.hpp"
#include "core/route/route_change.hpp"
#include "core/route/source_socket.hpp"
#include "core/subscription/union_upstream.hpp"
#include "sink/environment.hpp"
#include "sink/sink.hpp"

#include <sluice/route.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// The parts of one running route, wired: made, used and destroyed on the loop's thread.
class Assembly final : private Timed {
 public:
  /// Opens nothing. Throws std::runtime_error, std::system_error.
  Assembly(void* context, const RouteOptions& options, LoopCounters& counters);
  ~Assembly();
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;

  /// Opens every endpoint. Throws EndpointError, ConfigError, std::runtime_error; then `close_down`
  /// frees what was opened.
  void open();
  [[nodiscard]] Loop& loop() noexcept { return m_loop; }
  AttachResult attach(const std::string& endpoint);
  DetachResult detach(const std::string& endpoint);
  /// False: no sink of that name; throws ConfigError when its engine cannot.
  bool set_on_full(std::string_view sink, OnFull policy);

  // Change while running, in this order: `stage`, and where it says that something is in the way
  // `make_way` and `stage` again; then `commit`, or `undo` and `restore`.
  /// Opens what is new and has nothing in its way, aside: the loop does not know it yet. True when
  /// that was all. Throws EndpointError, std::runtime_error; may be called again.
  bool stage(const RouteChange& change);
  /// Takes out of the route what is in the way of the rest.
  void make_way(const RouteChange& change);
  /// Takes out what else is old and lets the new in.
  void commit(const RouteChange& change, Nanoseconds linger);
  /// Closes what was staged.
  void undo();
  /// Opens again what `make_way` took out. Throws as `stage`; may be called again.
  void restore();
  /// What `restore` did not open, by name.
  [[nodiscard]] std::vector<std::string> lost() const;

  /// Sources and sinks only; the rest of a RouteStatus is in counters.
  void append_status(RouteStatus& status) const;
  /// Ends within the deadline with every endpoint free, or by it without. True in the first case.
  bool close_down(Nanoseconds deadline);

 private:
  struct TapSocket {
    TapSocket(void* context, const TapOptions& options, Waiter& waiter, Counter& dropped);
    TapOptions options;
    ZmqSocket socket;
    EndpointSet endpoints;
    Tap tap;
  };

  struct SinkPart {
    SinkOptions options;
    std::unique_ptr<sink::Sink> sink;
    std::size_t number = 0;
  };
  /// What is on its way out.
  struct Retired {
    Nanoseconds deadline = 0;
    std::unique_ptr<sink::Sink> sink;
    std::unique_ptr<SourceSocket> source;
    std::unique_ptr<TapSocket> tap;

    [[nodiscard]] bool gone() const;
  };

  SourceSocket& add_source(const SourceOptions& options);
  // assembly_change.cpp
  [[nodiscard]] SinkPart make_sink(const SinkOptions& options);
  [[nodiscard]] std::unique_ptr<SourceSocket> make_source(SourceOptions options);
  void adopt(SinkPart part);
  void adopt(std::unique_ptr<SourceSocket> source);
  void adopt(std::unique_ptr<TapSocket> tap);
  bool blocked(const RouteChange& change, const std::vector<std::string>& endpoints) const;
  void stage_endpoints(const RouteChange& change);
  void remove_endpoints(const std::vector<EndpointChange>& sources,
                        const std::vector<EndpointChange>& sinks);
  void retire_sink(const std::string& name);
  void retire_source(const std::string& name);
  void retire_tap();
  void update_mark();
  [[nodiscard]] Nanoseconds next_time() const noexcept override;
  void on_time(Nanoseconds now) noexcept override;

  [[nodiscard]] bool has_source(const std::string& endpoint) const;

  void* m_context;
  RouteOptions m_options;  // as started
  sink::Environment m_environment;
  UnionUpstream m_upstream;
  Loop m_loop;
  LoopCounters& m_counters;
  std::vector<std::unique_ptr<SourceSocket>> m_sources;
  std::vector<SinkPart> m_sinks;
  std::unique_ptr<TapSocket> m_tap;
  std::vector<std::unique_ptr<SourceSocket>> m_staged_sources;
  std::vector<SinkPart> m_staged_sinks;
  std::unique_ptr<TapSocket> m_staged_tap;
  std::vector<SourceOptions> m_displaced_sources;
  std::vector<SinkOptions> m_displaced_sinks;
  std::optional<TapOptions> m_displaced_tap;
  std::vector<EndpointChange> m_staged_source_endpoints;
  std::vector<EndpointChange> m_staged_sink_endpoints;
  bool m_endpoints_staged = false;
  std::vector<Retired> m_retired;
  SourceSocket* m_attached = nullptr;  // one for all ATTACHed endpoints, made when first needed
};

}  // namespace sluice::core
