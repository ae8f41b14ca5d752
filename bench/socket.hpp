// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

namespace sluice::bench {

/// Owner of one libzmq socket; throws std::runtime_error where a call fails. Movable between
/// threads as libzmq allows: one at a time, with a fence.
class Socket {
 public:
  Socket() noexcept = default;
  Socket(void* context, int type);
  ~Socket() { close(); }
  Socket(Socket&& other) noexcept : m_socket(std::exchange(other.m_socket, nullptr)) {}
  Socket& operator=(Socket&& other) noexcept;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void set(int option, int value);
  void set(int option, const std::string& value);
  void bind(const std::string& endpoint);
  void connect(const std::string& endpoint);
  [[nodiscard]] std::string last_endpoint() const;
  void send(const std::string& bytes);
  void close() noexcept;
  [[nodiscard]] void* get() const noexcept { return m_socket; }

 private:
  void* m_socket = nullptr;
};

/// Owner of a libzmq context with one I/O thread.
class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  [[nodiscard]] void* get() const noexcept { return m_context; }

 private:
  void* m_context;
};

/// An endpoint to bind: "tcp" is "tcp://127.0.0.1:*", "ipc" a fresh path in the scratch
/// folder, "abstract" a fresh name in the abstract namespace.
[[nodiscard]] std::string fresh_endpoint(const std::string& transport);

}  // namespace sluice::bench
