// SPDX-License-Identifier: Apache-2.0
#include "outlet/outlet.hpp"
#include "socket.hpp"

#include <zmq.h>

#include <cerrno>
#include <cstring>

namespace sluice::bench {

namespace {

constexpr int k_send_timeout_ms = 50;

class ZmqOutlet final : public Outlet {
 public:
  ZmqOutlet(void* context, const std::string& endpoint, bool bind, int send_hwm)
      : m_socket(context, ZMQ_XPUB), m_endpoint(endpoint) {
    m_socket.set(ZMQ_XPUB_NODROP, 1);
    m_socket.set(ZMQ_SNDHWM, send_hwm);
    m_socket.set(ZMQ_SNDTIMEO, k_send_timeout_ms);
    m_socket.set(ZMQ_RCVHWM, 0);
    if (bind) {
      m_socket.bind(endpoint);
      m_endpoint = m_socket.last_endpoint();
    } else {
      m_socket.connect(endpoint);
    }
  }

  [[nodiscard]] const std::string& endpoint() const noexcept override { return m_endpoint; }

  Result send(const Header& header, std::string_view filler) override {
    zmq_msg_t message;
    if (zmq_msg_init_size(&message, filler.size()) != 0) return Result::failed;
    auto* const bytes = static_cast<std::byte*>(zmq_msg_data(&message));
    std::memcpy(bytes, filler.data(), filler.size());
    write_header(bytes, header);
    if (zmq_msg_send(&message, m_socket.get(), 0) >= 0) return Result::sent;
    const bool again = zmq_errno() == EAGAIN || zmq_errno() == EINTR;
    zmq_msg_close(&message);
    return again ? Result::full : Result::failed;
  }

  void drain() noexcept override {
    zmq_msg_t message;
    zmq_msg_init(&message);
    while (zmq_msg_recv(&message, m_socket.get(), ZMQ_DONTWAIT) >= 0) {
    }
    zmq_msg_close(&message);
  }

 private:
  Socket m_socket;
  std::string m_endpoint;
};

}  // namespace

std::unique_ptr<Outlet> make_zmq_outlet(void* context, const std::string& endpoint, bool bind,
                                        int send_hwm) {
  return std::make_unique<ZmqOutlet>(context, endpoint, bind, send_hwm);
}

}  // namespace sluice::bench
