// SPDX-License-Identifier: Apache-2.0
#include "core/fd.hpp"
#include "nats.hpp"
#include "outlet/outlet.hpp"
#include "tcp.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>

namespace sluice::bench {

namespace {

constexpr std::size_t k_write_size = 64U << 10;
constexpr int k_send_timeout_ms = 50;

class NatsOutlet final : public Outlet {
 public:
  explicit NatsOutlet(const std::string& endpoint)
      : m_fd(connect_tcp(endpoint)), m_endpoint(endpoint), m_pending(k_nats_connect) {
    if (flush() != Result::sent) throw std::runtime_error("cannot send to " + endpoint);
  }

  [[nodiscard]] const std::string& endpoint() const noexcept override { return m_endpoint; }

  Result send(const Header& header, std::string_view filler) override {
    if (m_pending.size() >= k_write_size) {
      if (const auto result = flush(); result != Result::sent) return result;
    }
    m_pending += header.kind == k_probe ? "PUB prob " : "PUB data ";
    m_pending += std::to_string(filler.size());
    m_pending += "\r\n";
    const auto payload = m_pending.size();
    m_pending += filler;
    write_header(reinterpret_cast<std::byte*>(m_pending.data()) + payload, header);
    m_pending += "\r\n";
    return Result::sent;
  }

  Result flush() override {
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

  void drain() noexcept override {
    // The greeting and pings; the server gives up on a silent client after minutes only.
    std::array<char, 4096> text{};
    while (recv(m_fd.get(), text.data(), text.size(), MSG_DONTWAIT) > 0) {
    }
  }

 private:
  core::Fd m_fd;
  std::string m_endpoint;
  std::string m_pending;
  std::size_t m_written = 0;  // of m_pending
};

}  // namespace

std::unique_ptr<Outlet> make_nats_outlet(const std::string& endpoint) {
  return std::make_unique<NatsOutlet>(endpoint);
}

}  // namespace sluice::bench
