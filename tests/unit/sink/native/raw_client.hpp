// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::test {

/// A frame as it came over the wire.
struct WireFrame {
  std::uint8_t flags = 0;
  std::string body;
};

/// A ZMTP client without manners: sends any bytes, reads frames when told to.
class RawClient {
 public:
  /// "tcp://127.0.0.1:PORT" or "ipc://PATH".
  explicit RawClient(const std::string& endpoint, int rcvbuf = 0);

  void send(const std::string& bytes) const;
  /// Greeting and READY, then reads the publisher's.
  void shake_hands(const std::string& socket_type = "SUB", std::uint8_t minor = 1);
  void subscribe(const std::string& topic);
  /// The next frame; nothing at the end of the connection or after the patience.
  [[nodiscard]] std::optional<WireFrame> frame();
  /// Reads `count` bytes; shorter at the end.
  [[nodiscard]] std::string read(std::size_t count);
  /// Whether the other side closes within the patience; what comes before is thrown away.
  [[nodiscard]] bool closed();
  [[nodiscard]] int fd() const noexcept { return m_fd.get(); }
  void disconnect() { m_fd.reset(); }

 private:
  core::Fd m_fd;
  std::string m_buffer;
};

[[nodiscard]] std::string wire_greeting(std::uint8_t major = 3, std::uint8_t minor = 1,
                                        const std::string& mechanism = "NULL");
[[nodiscard]] std::string wire_frame(std::uint8_t flags, const std::string& body);
[[nodiscard]] std::string wire_command(const std::string& name, const std::string& data);
[[nodiscard]] std::string wire_ready(const std::string& socket_type);

}  // namespace sluice::test
