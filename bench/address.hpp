// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"

#include <string>
#include <sys/socket.h>

namespace sluice::bench {

/// A socket address as the system wants it.
struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  [[nodiscard]] const sockaddr* get() const noexcept {
    return reinterpret_cast<const sockaddr*>(&storage);
  }
  [[nodiscard]] int family() const noexcept { return storage.ss_family; }
};

/// Of "tcp://A.B.C.D:PORT" ("*" for a port: any that is free), "ipc://PATH" or "ipc://@NAME".
/// Throws std::runtime_error for anything else.
[[nodiscard]] Address parse_endpoint(const std::string& endpoint);

/// A stream socket that listens at `endpoint`; which becomes the one to connect to. Throws
/// std::runtime_error.
[[nodiscard]] core::Fd listen_at(std::string& endpoint);

/// A blocking stream socket connected to `endpoint`, with TCP_NODELAY where there is such a thing.
/// Throws std::runtime_error.
[[nodiscard]] core::Fd connect_to(const std::string& endpoint);

/// Nagle's algorithm on (false) or off (true); nothing where it does not exist.
void set_nodelay(int fd, bool on) noexcept;

}  // namespace sluice::bench
