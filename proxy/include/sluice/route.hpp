// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/error.hpp>
#include <sluice/export.h>
#include <sluice/options.hpp>
#include <sluice/statistics.hpp>

#include <zmq.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace sluice {

enum class StopResult : std::uint8_t {
  stopped,    ///< the forwarding thread has ended and every endpoint is free
  timed_out,  ///< not within the time given; ask again
};

enum class AttachResult : std::uint8_t {
  connected,  ///< the source is there
  waiting,    ///< nobody has bound the inproc name yet; attach once more when somebody has
  present,    ///< it was attached before; nothing changed
};

enum class DetachResult : std::uint8_t { detached, unknown };

/// Some sources, one or more sinks, a tap or none, and one forwarding thread.
///
/// Every call is safe from any thread and bounded in time (1 s unless it takes a time-out); a call
/// that could not be carried out in time throws std::runtime_error. The context must outlive the
/// route or be shut down, which stops the route with the reason "context terminated". Any number
/// of routes may live in one process. Not to be called from an `EventHandler`.
class SLUICE_EXPORT Route {
 public:
  /// Validates; opens nothing. Throws ConfigError naming the field.
  Route(zmq::context_t& context, RouteOptions options);
  /// The same on a plain libzmq context.
  Route(void* context, RouteOptions options);
  /// Stops with the options' linger.
  ~Route();
  Route(const Route&) = delete;
  Route& operator=(const Route&) = delete;

  /// Starts the forwarding thread and returns once every endpoint is bound or connected. All or
  /// nothing: throws EndpointError (and has released everything) when one cannot be. A stopped
  /// route may be started again.
  void start();
  /// Like `start`, on the caller's thread; returns when the route has stopped.
  void run();

  /// After the return no message goes from a source to a sink; steering and subscriptions go on.
  void pause();
  void resume();
  /// Takes effect at the loop's next look. Throws ConfigError naming the field.
  void set(const Tuning& tuning);
  /// Changes a native sink between drop and disconnect. Throws ConfigError where that cannot be.
  void set_on_full(std::string_view sink, OnFull policy);
  [[nodiscard]] Tuning tuning() const;
  /// Makes a running or paused route what `next` says, all or nothing: throws ConfigError,
  /// EndpointError or std::runtime_error, and the route is as it was. Sources, sinks and the tap
  /// that differ are closed and made again, new ones added, missing ones removed; the others, and
  /// endpoints that were attached, notice nothing. Bounded by 5 s, most of it only when an endpoint
  /// that changes hands does not become free. `max_topic`, `max_subscriptions`, `on_event` and the
  /// name stay as they were.
  void reconfigure(const RouteOptions& next);

  /// Connects one more source, inproc, ipc or tcp, at run time. Idempotent. Throws EndpointError.
  AttachResult attach(const std::string& endpoint);
  /// Forwards what has arrived (at most 10 ms of it), then disconnects.
  DetachResult detach(const std::string& endpoint);

  /// Copies counters; never disturbs the loop.
  [[nodiscard]] Statistics statistics() const;
  /// A copy made by the loop at most 10 times a second; in between callers share the last one.
  [[nodiscard]] RouteStatus status() const;
  [[nodiscard]] RouteState state() const noexcept;
  /// Why the route stopped: "terminated", "drained", "context terminated" or an error text.
  [[nodiscard]] std::string reason() const;
  /// As constructed.
  [[nodiscard]] const RouteOptions& options() const noexcept;
  /// Sends the loop a wake and waits for its answer: true within `timeout`, else false.
  [[nodiscard]] bool ping(std::chrono::milliseconds timeout) const;

  /// Takes nothing more from the sources, delivers what was accepted, closes within the linger.
  StopResult stop(std::chrono::milliseconds timeout);
  /// Reads the sources for at most half the linger (resuming if paused), then stops.
  StopResult drain(std::chrono::milliseconds timeout);
  /// As stop and drain, but return at once; the state tells when it is done.
  void request_stop();
  void request_drain();
  /// Waits until the route has stopped; false when `timeout` passed first.
  bool wait_stopped(std::chrono::milliseconds timeout) const;

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace sluice
