// SPDX-License-Identifier: Apache-2.0
#pragma once

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
/// A plain socket that speaks nats-server's text protocol, in writes of 64 KiB. Throws
/// std::runtime_error.
std::unique_ptr<Outlet> make_nats_outlet(const std::string& endpoint);

}  // namespace sluice::bench
