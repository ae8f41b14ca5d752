// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sluice::app {

/// Datagrams to the service manager (sd_notify(3)), by hand. Usable from any thread; does nothing
/// where there is no manager.
class Notify {
 public:
  /// `socket` is the value of NOTIFY_SOCKET: a path, "@" and an abstract name, or empty.
  explicit Notify(std::string socket) : m_socket(std::move(socket)) {}
  /// Takes NOTIFY_SOCKET out of the environment, so that no child inherits it.
  [[nodiscard]] static Notify from_environment();

  [[nodiscard]] bool is_wanted() const noexcept { return !m_socket.empty(); }
  /// "READY=1\nSTATUS=...". False when it could not be delivered; never blocks.
  bool send(std::string_view state) const noexcept;

 private:
  std::string m_socket;
};

/// What announces a reload: RELOADING=1 with the time that the manager asks for.
[[nodiscard]] std::string reloading_text();
/// A value for one line of a datagram: control characters become spaces, long text is cut.
[[nodiscard]] std::string one_line(std::string text);

}  // namespace sluice::app
