// SPDX-License-Identifier: Apache-2.0
#include "outlet/stream_outlet.hpp"

#include "tcp.hpp"

#include <array>
#include <cerrno>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>

namespace sluice::bench {

namespace {

constexpr std::size_t k_write_size = 64U << 10;
constexpr int k_send_timeout_ms = 50;

}  // namespace

StreamOutlet::StreamOutlet(const std::string& endpoint, std::string_view greeting)
    : m_fd(connect_tcp(endpoint)), m_endpoint(endpoint), m_pending(greeting) {
  if (StreamOutlet::flush() != Result::sent) throw std::runtime_error("cannot send to " + endpoint);
}

Outlet::Result StreamOutlet::send(const Header& header, std::string_view filler) {
  if (m_pending.size() >= k_write_size) {
    if (const auto result = flush(); result != Result::sent) return result;
  }
  append_head(m_pending, header, filler.size());
  const auto payload = m_pending.size();
  m_pending += filler;
  write_header(reinterpret_cast<std::byte*>(m_pending.data()) + payload, header);
  append_tail(m_pending);
  return Result::sent;
}

Outlet::Result StreamOutlet::flush() {
  while (m_written < m_pending.size()) {
    const auto n = ::send(m_fd.get(), m_pending.data() + m_written, m_pending.size() - m_written,
                          MSG_NOSIGNAL);
    if (n >= 0) {
      m_written += static_cast<std::size_t>(n);
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return Result::failed;
    pollfd item{m_fd.get(), POLLOUT, 0};
    if (poll(&item, 1, k_send_timeout_ms) == 0) return Result::full;
  }
  m_pending.clear();
  m_written = 0;
  return Result::sent;
}

void StreamOutlet::drain() noexcept {
  std::array<char, 4096> text{};
  while (recv(m_fd.get(), text.data(), text.size(), MSG_DONTWAIT) > 0) {
  }
}

}  // namespace sluice::bench
