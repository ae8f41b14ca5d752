// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/loop.hpp"
#include "core/source_socket.hpp"
#include "core/union_upstream.hpp"
#include "sink/environment.hpp"
#include "sink/sink.hpp"

#include <sluice/route.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// The parts of one running route, wired: made, used and destroyed on the loop's thread.
class Assembly {
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
  /// Sources and sinks only; the rest of a RouteStatus is in counters.
  void append_status(RouteStatus& status) const;
  /// Ends within the deadline with every endpoint free, or by it without. True in the first case.
  bool close_down(Nanoseconds deadline);

 private:
  struct TapSocket {
    TapSocket(void* context, const TapOptions& options, Waiter& waiter, Counter& dropped);
    ZmqSocket socket;
    EndpointSet endpoints;
    Tap tap;
  };

  SourceSocket& add_source(const SourceOptions& options);
  [[nodiscard]] bool has_source(const std::string& endpoint) const;

  void* m_context;
  RouteOptions m_options;
  sink::Environment m_environment;
  UnionUpstream m_upstream;
  Loop m_loop;
  LoopCounters& m_counters;
  std::vector<std::unique_ptr<SourceSocket>> m_sources;
  std::vector<std::unique_ptr<sink::Sink>> m_sinks;
  std::optional<TapSocket> m_tap;
  SourceSocket* m_attached = nullptr;  // one for all ATTACHed endpoints, made when first needed
};

}  // namespace sluice::core
