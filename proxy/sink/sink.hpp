// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"
#include "core/wait/waiter.hpp"
#include "core/zmq/message.hpp"

#include <sluice/statistics.hpp>

#include <cstdint>
#include <string>

namespace sluice::sink {

/// What became of a message that was offered.
enum class Offer : std::uint8_t {
  taken,       ///< accepted, or dropped for some subscribers by the sink's policy (it counts)
  full,        ///< nothing of it was taken: keep it and offer it again once `room()` says so
  unroutable,  ///< EHOSTUNREACH: drop it
  failed,      ///< `error()` tells why; the route stops
};

/// Where subscribers attach: a bound (or connected) XPUB role. Two engines, one interface.
///
/// Created, used and destroyed on the loop's thread. Nothing here blocks. A sink registers its own
/// descriptors with the waiter and does its own housekeeping when they are ready; the loop asks
/// for the results.
class Sink {
 public:
  /// How the loop hands a message over.
  enum class Hand : std::uint8_t {
    give,   ///< the sink may take the frames' bytes; they are empty afterwards if it did
    share,  ///< another sink gets it too: take a reference
  };

  virtual ~Sink() = default;

  /// Binds and connects every endpoint, all or nothing. Throws EndpointError, ConfigError or
  /// std::system_error. Called once.
  virtual void open(core::Waiter& waiter) = 0;

  /// Offers one whole message. A fan-out engine may gather and write at `flush`.
  virtual Offer offer(core::Message& message, Hand hand) noexcept = 0;
  /// After an `Offer::full`: whether another try may succeed. Turns true in `on_ready` or
  /// `on_time`, within the loop's wait; stays true until the next `offer`.
  [[nodiscard]] virtual bool room() const noexcept = 0;
  /// The errno behind the last `Offer::failed`.
  [[nodiscard]] virtual int error() const noexcept = 0;
  /// End of a burst: everything taken goes out now. May stop at `deadline` (of `core::now`) and
  /// return false: it has more to write at once and wants to be called again after commands were
  /// looked at.
  virtual bool flush(core::Nanoseconds deadline) noexcept = 0;

  /// The next thing that came up from the subscribers, a whole message: a subscription change
  /// (one frame, 1 or 0 and the topic; one per topic and sink, not per subscriber) or a user
  /// message. False when there is none (then, and only then, the engine's wake-up is armed again).
  /// `error()` is non-zero after false when the sink cannot go on (ETERM).
  virtual bool receive(core::Message& message) noexcept = 0;
  /// Whether `receive` should be called: something may have come up since it last said false.
  /// A true answer may be wrong (then it costs one look), a false one may not.
  [[nodiscard]] virtual bool pending() const noexcept = 0;
  /// Whether calls since the last look may have consumed the wake-up for what comes up from the
  /// subscribers (libzmq's sends do), so that sleeping now needs one `receive` first.
  [[nodiscard]] virtual bool look_due() const noexcept = 0;

  /// When `on_time` wants to be called next; k_never if not.
  [[nodiscard]] virtual core::Nanoseconds next_time() const noexcept { return core::k_never; }
  virtual void on_time(core::Nanoseconds /*now*/) noexcept {}

  /// Live keys. False where the engine cannot.
  virtual bool set_on_full(OnFull policy) noexcept = 0;

  /// Begins to stop: takes no new subscriber and frees the endpoints; what was accepted still
  /// goes out. The loop keeps waiting and calling `flush` until `closed` or its deadline.
  virtual void begin_close() noexcept = 0;
  /// One more bound endpoint. Throws as `open`, and nothing has changed.
  virtual void add_endpoint(const std::string& endpoint) = 0;
  /// One less, as it was given: those who came in there are cut, the others notice nothing.
  virtual void remove_endpoint(const std::string& endpoint) noexcept = 0;

  /// As `begin_close`, for a sink that the route goes on without: what it refused is not offered
  /// again, and what comes up is not asked for. What was accepted has until the deadline.
  virtual void retire(core::Nanoseconds deadline) noexcept = 0;
  /// Endpoints are free and, where the engine can know, everything accepted is delivered.
  [[nodiscard]] virtual bool closed() const noexcept = 0;
  /// The last call before the destructor: `linger` is what remains for undelivered messages.
  virtual void close(core::Nanoseconds linger) noexcept = 0;

  [[nodiscard]] virtual SinkStatus status() const = 0;
};

}  // namespace sluice::sink
