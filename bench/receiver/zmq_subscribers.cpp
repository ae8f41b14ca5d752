// SPDX-License-Identifier: Apache-2.0
#include "core/base/clock.hpp"
#include "payload.hpp"
#include "receiver/subscribers.hpp"
#include "socket.hpp"

#include <zmq.h>

#include <stdexcept>

namespace sluice::bench {

namespace {

class ZmqSubscribers final : public Subscribers {
 public:
  explicit ZmqSubscribers(const ReceiverOptions& options) {
    for (std::size_t i = 0; i < options.subscribers + options.idle; ++i) {
      Socket socket(m_context.get(), ZMQ_SUB);
      socket.set(ZMQ_RCVHWM, k_recv_hwm);
      for (const auto& topic : topics_of(options, i)) socket.set(ZMQ_SUBSCRIBE, topic);
      for (const auto& endpoint : options.endpoints) socket.connect(endpoint);
      m_items.push_back({socket.get(), 0, ZMQ_POLLIN, 0});
      m_sockets.push_back(std::move(socket));
    }
    m_items.push_back({nullptr, -1, ZMQ_POLLIN, 0});
    zmq_msg_init(&m_message);
  }
  ~ZmqSubscribers() override { zmq_msg_close(&m_message); }
  ZmqSubscribers(const ZmqSubscribers&) = delete;
  ZmqSubscribers& operator=(const ZmqSubscribers&) = delete;

  bool wait(Tally& tally, int control_fd, int timeout_ms) override {
    auto& control = m_items.back();
    control.fd = control_fd;
    zmq_poll(m_items.data(), static_cast<int>(m_items.size()), timeout_ms);
    for (std::size_t i = 0; i < m_sockets.size(); ++i) {
      if ((m_items[i].revents & ZMQ_POLLIN) != 0) receive(i, tally);
    }
    return (control.revents & ZMQ_POLLIN) != 0;
  }

  // libzmq does not tell; the probes do.
  [[nodiscard]] bool connected() const override { return true; }

 private:
  static constexpr int k_recv_hwm = 10'000;
  static constexpr int k_burst = 256;

  void receive(std::size_t subscriber, Tally& tally) {
    auto* const socket = m_sockets[subscriber].get();
    bool counted = true;
    std::int64_t now_ns = core::now();
    for (int i = 0; i < k_burst && zmq_msg_recv(&m_message, socket, ZMQ_DONTWAIT) >= 0; ++i) {
      const auto size = zmq_msg_size(&m_message);
      if (counted && size >= k_header_size) {
        const auto header = read_header(static_cast<const std::byte*>(zmq_msg_data(&m_message)));
        if (header.sent_ns != 0) now_ns = core::now();
        tally.on_message(subscriber, header, size, now_ns);
      }
      counted = zmq_msg_more(&m_message) == 0;
    }
  }

  Context m_context;
  std::vector<Socket> m_sockets;
  std::vector<zmq_pollitem_t> m_items;
  zmq_msg_t m_message{};
};

}  // namespace

std::unique_ptr<Subscribers> make_zmq_subscribers(const ReceiverOptions& options) {
  return std::make_unique<ZmqSubscribers>(options);
}

}  // namespace sluice::bench
