// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"

#include <netinet/in.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>

namespace sluice::bench {

/// The server's end of one connection; the test says what the server says. Used by one thread.
class NatsServer {
 public:
  NatsServer() : m_listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (bind(m_listener.get(), generic, size) != 0 || listen(m_listener.get(), 1) != 0 ||
        getsockname(m_listener.get(), generic, &size) != 0) {
      throw std::runtime_error("no listener");
    }
    m_endpoint = "tcp://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }

  [[nodiscard]] const std::string& endpoint() const noexcept { return m_endpoint; }
  void accept_one() {
    m_client = core::Fd(accept(m_listener.get(), nullptr, nullptr));
    const timeval timeout{20, 0};
    setsockopt(m_client.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  }
  void say(const std::string& text) {
    if (send(m_client.get(), text.data(), text.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(text.size())) {
      throw std::runtime_error("not sent");
    }
  }
  /// What the client says up to and with `end`, or what it has said before it closed.
  std::string hear(const std::string& end) {
    std::string text;
    char c = 0;
    while (!text.ends_with(end) && recv(m_client.get(), &c, 1, 0) == 1) text += c;
    return text;
  }
  /// The next so many bytes, or what there was before the client closed.
  std::string hear(std::size_t size) {
    std::string text(size, '\0');
    const auto n = recv(m_client.get(), text.data(), size, MSG_WAITALL);
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
  }
  void close() noexcept { m_client.reset(); }

 private:
  core::Fd m_listener;
  core::Fd m_client;
  std::string m_endpoint;
};

}  // namespace sluice::bench
