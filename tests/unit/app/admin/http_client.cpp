// SPDX-License-Identifier: Apache-2.0
#include "http_client.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>

namespace sluice::app {
namespace {

constexpr int k_patience_ms = 20'000;

std::size_t content_length(std::string_view head) {
  constexpr std::string_view k_name = "Content-Length: ";
  const std::size_t at = head.find(k_name);
  std::size_t length = 0;
  if (at != std::string_view::npos) {
    std::from_chars(head.data() + at + k_name.size(), head.data() + head.size(), length);
  }
  return length;
}

}  // namespace

HttpClient::HttpClient(const std::string& endpoint)
    : m_fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port =
      htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(m_fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("cannot connect to " + endpoint);
  }
}

bool HttpClient::send(std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(m_fd.get(), text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool HttpClient::read_more() {
  pollfd item{m_fd.get(), POLLIN, 0};
  if (::poll(&item, 1, k_patience_ms) != 1) throw std::runtime_error("nothing came in time");
  std::array<char, 4096> part{};
  const ssize_t size = ::recv(m_fd.get(), part.data(), part.size(), 0);
  if (size <= 0) return false;
  m_read.append(part.data(), static_cast<std::size_t>(size));
  return true;
}

std::string HttpClient::response() {
  std::size_t end = std::string::npos;
  while ((end = m_read.find("\r\n\r\n")) == std::string::npos) {
    if (!read_more()) return std::exchange(m_read, {});
  }
  const std::size_t whole = end + 4 + content_length(std::string_view(m_read).substr(0, end));
  while (m_read.size() < whole && read_more()) {
  }
  std::string one = m_read.substr(0, whole);
  m_read.erase(0, whole);
  return one;
}

bool HttpClient::closed() {
  try {
    while (read_more()) {
    }
  } catch (const std::runtime_error&) {
    return false;
  }
  return true;
}

std::string get(std::string_view path, std::string_view headers) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: test\r\n" + std::string(headers) + "\r\n";
}

std::string post(std::string_view path, std::string_view body, std::string_view headers) {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: test\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(headers) + "\r\n" + std::string(body);
}

int status_of(std::string_view response) {
  int status = 0;
  if (response.size() > 12) std::from_chars(response.data() + 9, response.data() + 12, status);
  return status;
}

std::string body_of(std::string_view response) {
  const std::size_t end = response.find("\r\n\r\n");
  return end == std::string_view::npos ? "" : std::string(response.substr(end + 4));
}

}  // namespace sluice::app
