// SPDX-License-Identifier: Apache-2.0
#include "app/process/notify.hpp"

#include "core/base/fd.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/socket.h>
#include <sys/un.h>

namespace sluice::app {

Notify Notify::from_environment() {
  const char* socket = std::getenv("NOTIFY_SOCKET");
  Notify notify(socket != nullptr ? socket : "");
  ::unsetenv("NOTIFY_SOCKET");
  return notify;
}

bool Notify::send(std::string_view state) const noexcept {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (m_socket.size() < 2 || m_socket.size() >= sizeof address.sun_path) return false;
  if (m_socket.front() != '/' && m_socket.front() != '@') return false;
  std::memcpy(address.sun_path, m_socket.data(), m_socket.size());
  if (m_socket.front() == '@') address.sun_path[0] = '\0';

  const core::Fd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return false;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + m_socket.size());
  const ssize_t sent = ::sendto(fd.get(), state.data(), state.size(), MSG_NOSIGNAL,
                                reinterpret_cast<const sockaddr*>(&address), length);
  return sent == static_cast<ssize_t>(state.size());
}

std::string reloading_text() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  const auto us = static_cast<std::int64_t>(t.tv_sec) * 1'000'000 + t.tv_nsec / 1'000;
  return "RELOADING=1\nMONOTONIC_USEC=" + std::to_string(us) + "\nSTATUS=reloading";
}

std::string one_line(std::string text) {
  constexpr std::size_t k_longest = 500;
  if (text.size() > k_longest) text = text.substr(0, k_longest) + "...";
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

}  // namespace sluice::app
