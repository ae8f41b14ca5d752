// SPDX-License-Identifier: Apache-2.0
#include "core/base/fd.hpp"
#include "receiver/mqtt_connection.hpp"
#include "receiver/multicast_connection.hpp"
#include "receiver/nats_connection.hpp"
#include "receiver/plain_connection.hpp"
#include "receiver/raw_connection.hpp"
#include "receiver/sp_connection.hpp"
#include "receiver/subscribers.hpp"

#include <array>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <sys/epoll.h>
#include <system_error>
#include <utility>

namespace sluice::bench {

namespace {

std::unique_ptr<Connection> make_connection(const std::string& kind, const std::string& endpoint,
                                            std::size_t subscriber,
                                            std::vector<std::string> topics) {
  if (kind == "nats") {
    return std::make_unique<NatsConnection>(endpoint, subscriber, std::move(topics));
  }
  if (kind == "mqtt") {
    return std::make_unique<MqttConnection>(endpoint, subscriber, std::move(topics));
  }
  if (kind == "sp") return std::make_unique<SpConnection>(endpoint, subscriber);
  if (kind == "plain") return std::make_unique<PlainConnection>(endpoint, subscriber);
  if (kind == "multicast") return std::make_unique<MulticastConnection>(endpoint, subscriber);
  return std::make_unique<RawConnection>(endpoint, subscriber, std::move(topics));
}

class RawSubscribers final : public Subscribers {
 public:
  explicit RawSubscribers(const ReceiverOptions& options) : m_options(options) {
    m_epoll = core::Fd(epoll_create1(EPOLL_CLOEXEC));
    if (!m_epoll) throw std::system_error(errno, std::generic_category(), "epoll_create1");
    m_buffer.resize(k_buffer_size);
    m_total = (options.subscribers + options.idle) * options.endpoints.size();
    open_some();
  }

  bool wait(Tally& tally, int control_fd, int timeout_ms) override {
    if (!m_control_added) {
      watch(control_fd, EPOLLIN, nullptr);
      m_control_added = true;
    }
    std::array<epoll_event, 256> events{};
    const int n =
        epoll_wait(m_epoll.get(), events.data(), static_cast<int>(events.size()), timeout_ms);
    bool control = false;
    for (int i = 0; i < n; ++i) {
      const auto& event = events[static_cast<std::size_t>(i)];
      if (event.data.ptr == nullptr) {
        control = true;
      } else {
        serve(*static_cast<Connection*>(event.data.ptr), tally);
      }
    }
    open_some();
    return control;
  }

  [[nodiscard]] bool connected() const override { return m_open == m_total; }

 private:
  static constexpr std::size_t k_buffer_size = 256U << 10;
  // Fewer than the usual listen backlog, so that no connection is refused or retried.
  static constexpr std::size_t k_opening_limit = 64;

  void watch(int fd, std::uint32_t events, Connection* connection) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = connection;
    if (epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, fd, &event) != 0 &&
        epoll_ctl(m_epoll.get(), EPOLL_CTL_MOD, fd, &event) != 0) {
      throw std::system_error(errno, std::generic_category(), "epoll_ctl");
    }
  }

  void open_some() {
    while (m_connections.size() < m_total && m_connections.size() - m_open < k_opening_limit) {
      const auto index = m_connections.size();
      const auto subscriber = index / m_options.endpoints.size();
      const auto& endpoint = m_options.endpoints[index % m_options.endpoints.size()];
      auto& connection = *m_connections.emplace_back(
          make_connection(m_options.kind, endpoint, subscriber, topics_of(m_options, subscriber)));
      watch(connection.fd(), EPOLLOUT, &connection);
    }
  }

  void serve(Connection& connection, Tally& tally) {
    const bool was_open = connection.open();
    if (!was_open) watch(connection.fd(), EPOLLIN, &connection);
    connection.on_ready(tally, m_buffer);
    if (!was_open && connection.open()) ++m_open;
  }

  ReceiverOptions m_options;
  core::Fd m_epoll;
  std::vector<std::unique_ptr<Connection>> m_connections;
  std::vector<std::byte> m_buffer;
  std::size_t m_total = 0;
  std::size_t m_open = 0;
  bool m_control_added = false;
};

}  // namespace

std::unique_ptr<Subscribers> make_raw_subscribers(const ReceiverOptions& options) {
  return std::make_unique<RawSubscribers>(options);
}

}  // namespace sluice::bench
