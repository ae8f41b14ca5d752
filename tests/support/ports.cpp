// SPDX-License-Identifier: Apache-2.0
#include "support/ports.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sluice::test {
namespace {

constexpr std::uint16_t k_first = 15'000;
constexpr std::uint16_t k_count = 10'000;

// Same lock files as tests/support/ports.py, so the tiers may run side by side.
bool claim(std::uint16_t port) {
  static const auto directory = [] {
    const auto path = std::filesystem::temp_directory_path() / "sluice-test-ports";
    std::filesystem::create_directories(path);
    return path;
  }();
  const auto file = directory / std::to_string(port);
  const int fd = ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return true;  // kept open, and so kept, until exit
  ::close(fd);
  return false;
}

bool is_free(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  const int yes = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool ok = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return ok;
}

}  // namespace

std::uint16_t free_port() {
  static std::uint16_t next = static_cast<std::uint16_t>(::getpid() * 37 % k_count);
  for (int i = 0; i < k_count; ++i) {
    const auto port = static_cast<std::uint16_t>(k_first + next);
    next = static_cast<std::uint16_t>((next + 1) % k_count);
    if (claim(port) && is_free(port)) return port;
  }
  throw std::runtime_error("no free port");
}

std::string free_tcp() {
  return "tcp://127.0.0.1:" + std::to_string(free_port());
}

}  // namespace sluice::test
