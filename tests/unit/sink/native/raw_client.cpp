// SPDX-License-Identifier: Apache-2.0
#include "raw_client.hpp"

#include "sink/native/zmtp/command.hpp"
#include "support/deadline.hpp"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>

namespace sluice::test {

using std::string_literals::operator""s;

RawClient::RawClient(const std::string& endpoint, int rcvbuf) {
  sockaddr_storage address{};
  socklen_t length = 0;
  if (endpoint.starts_with("tcp://")) {
    sockaddr_in in{};
    const auto colon = endpoint.rfind(':');
    in.sin_family = AF_INET;
    in.sin_port = htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(colon + 1))));
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::memcpy(&address, &in, sizeof in);
    length = sizeof in;
  } else {
    sockaddr_un un{};
    un.sun_family = AF_UNIX;
    const std::string path = endpoint.substr(6);
    path.copy(&un.sun_path[0], path.size());
    std::memcpy(&address, &un, sizeof un);
    length = sizeof un;
  }
  m_fd = core::Fd{::socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (rcvbuf != 0) ::setsockopt(m_fd.get(), SOL_SOCKET, SO_RCVBUF, &rcvbuf, sizeof rcvbuf);
  if (::connect(m_fd.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0) {
    throw std::runtime_error(endpoint + ": " + std::strerror(errno));
  }
}

void RawClient::send(const std::string& bytes) const {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t n = ::send(m_fd.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return;  // it was cut: the test looks at that
    sent += static_cast<std::size_t>(n);
  }
}

std::string RawClient::read(std::size_t count) {
  while (m_buffer.size() < count) {
    if (!readable(m_fd.get())) break;
    std::array<char, 65536> chunk{};
    const ssize_t n = ::recv(m_fd.get(), chunk.data(), chunk.size(), 0);
    if (n <= 0) break;
    m_buffer.append(chunk.data(), static_cast<std::size_t>(n));
  }
  const std::string taken = m_buffer.substr(0, count);
  m_buffer.erase(0, taken.size());
  return taken;
}

std::optional<WireFrame> RawClient::frame() {
  std::string head = read(2);
  if (head.size() < 2) return std::nullopt;
  if ((head[0] & zmtp::k_long) != 0) head += read(zmtp::k_long_header - 2);
  const zmtp::FrameHeader header = zmtp::read_header(zmtp::as_bytes(head));
  std::string body = read(header.size);
  if (body.size() < header.size) return std::nullopt;
  return WireFrame{header.flags, std::move(body)};
}

bool RawClient::closed() {
  for (;;) {
    if (!readable(m_fd.get())) return false;
    std::array<char, 65536> chunk{};
    if (::recv(m_fd.get(), chunk.data(), chunk.size(), 0) <= 0) return true;
  }
}

void RawClient::shake_hands(const std::string& socket_type, std::uint8_t minor) {
  send(wire_greeting(3, minor) + wire_ready(socket_type));
  EXPECT_EQ(read(zmtp::k_greeting_size), wire_greeting());
  const auto ready = frame();
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->body, "\5READY\x0BSocket-Type\0\0\0\4XPUB"s);
}

void RawClient::subscribe(const std::string& topic) {
  send(wire_frame(0, "\1" + topic));
}

std::string wire_greeting(std::uint8_t major, std::uint8_t minor, const std::string& mechanism) {
  std::string bytes{zmtp::as_text(zmtp::make_greeting())};
  bytes[10] = static_cast<char>(major);
  bytes[11] = static_cast<char>(minor);
  bytes.replace(12, 20, mechanism + std::string(20 - mechanism.size(), '\0'));
  return bytes;
}

std::string wire_frame(std::uint8_t flags, const std::string& body) {
  std::array<std::byte, zmtp::k_long_header> header{};
  const std::size_t size = zmtp::write_header(header.data(), flags, body.size());
  return std::string{zmtp::as_text(zmtp::Bytes{header}.first(size))} + body;
}

std::string wire_command(const std::string& name, const std::string& data) {
  std::string out;
  zmtp::append_command(out, name, zmtp::as_bytes(data));
  return out;
}

std::string wire_ready(const std::string& socket_type) {
  return wire_command(
      "READY", "\x0BSocket-Type\0\0\0"s + static_cast<char>(socket_type.size()) + socket_type);
}

}  // namespace sluice::test
