// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace sluice::core {

/// Owner of one libzmq socket. Belongs to the thread that made it; closed with whatever ZMQ_LINGER
/// is set then.
class ZmqSocket {
 public:
  ZmqSocket() noexcept = default;
  /// Throws std::runtime_error with libzmq's text (EMFILE: the context's ZMQ_MAX_SOCKETS or the
  /// descriptor limit is reached).
  ZmqSocket(void* context, int type);
  ~ZmqSocket() { close(); }
  ZmqSocket(ZmqSocket&& other) noexcept : m_socket(std::exchange(other.m_socket, nullptr)) {}
  ZmqSocket& operator=(ZmqSocket&& other) noexcept {
    if (this != &other) {
      close();
      m_socket = std::exchange(other.m_socket, nullptr);
    }
    return *this;
  }
  ZmqSocket(const ZmqSocket&) = delete;
  ZmqSocket& operator=(const ZmqSocket&) = delete;

  [[nodiscard]] void* raw() const noexcept { return m_socket; }
  [[nodiscard]] explicit operator bool() const noexcept { return m_socket != nullptr; }
  void close() noexcept;
  /// Gives the socket up without closing it.
  void release() noexcept { m_socket = nullptr; }

 private:
  void* m_socket = nullptr;
};

/// Options and queries on a libzmq socket of any owner. The setters throw std::runtime_error
/// naming the option; the others never fail on an open socket (they answer -1 after ETERM).
void set_option(void* socket, int option, int value, const char* name);
void set_option64(void* socket, int option, std::int64_t value, const char* name);
[[nodiscard]] int int_option(void* socket, int option) noexcept;
/// ZMQ_FD: readable when commands wait for the socket, not when messages do.
[[nodiscard]] int socket_fd(void* socket) noexcept;
/// Processes waiting commands, so that ZMQ_FD is not readable any more; costs a poll().
/// False when the context was shut down.
bool process_commands(void* socket) noexcept;
/// Whether POLLOUT in ZMQ_EVENTS means room: some types always report it and can be full.
[[nodiscard]] bool tells_of_room(void* socket) noexcept;
[[nodiscard]] std::string last_endpoint(void* socket);

}  // namespace sluice::core
