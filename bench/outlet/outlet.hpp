// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outlet/plain_options.hpp"
#include "payload.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace sluice::bench {

/// A publisher's end of the path: where a source's messages go. Used by one thread at a time.
class Outlet {
 public:
  enum class Result : std::uint8_t {
    sent,
    full,  ///< there was no room for a little while; the same again may work
    failed,
  };

  virtual ~Outlet() = default;

  /// Where the subscribers find it, when it binds; else where it has connected to.
  [[nodiscard]] virtual const std::string& endpoint() const noexcept = 0;
  /// Sends a message of `filler.size()` bytes, k_header_size at least, that begins with `header`.
  virtual Result send(const Header& header, std::string_view filler) = 0;
  /// Sends what has been kept for a larger write.
  virtual Result flush() { return Result::sent; }
  /// Takes what the other end has said.
  virtual void drain() noexcept {}
};

/// An XPUB socket that waits when it is full. Throws std::runtime_error.
std::unique_ptr<Outlet> make_zmq_outlet(void* context, const std::string& endpoint, bool bind,
                                        int send_hwm);
/// Plain sockets that speak nats-server's text protocol, MQTT, or nng's, in writes of 64 KiB. Throw
/// std::runtime_error.
std::unique_ptr<Outlet> make_nats_outlet(const std::string& endpoint);
std::unique_ptr<Outlet> make_mqtt_outlet(const std::string& endpoint);
std::unique_ptr<Outlet> make_sp_outlet(const std::string& endpoint);
/// Listens at the endpoint and writes to everybody who has connected, without any protocol. Throws
/// std::runtime_error.
std::unique_ptr<Outlet> make_plain_outlet(const std::string& endpoint, const PlainOptions& options);
/// One datagram to a multicast group of this machine's loopback interface. Throws
/// std::runtime_error.
std::unique_ptr<Outlet> make_multicast_outlet(const std::string& endpoint);

}  // namespace sluice::bench
