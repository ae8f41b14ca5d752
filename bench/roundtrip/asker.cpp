// SPDX-License-Identifier: Apache-2.0
#include "roundtrip/asker.hpp"

#include "address.hpp"
#include "roundtrip/echo.hpp"
#include "socket.hpp"

#include <zmq.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <sys/time.h>
#include <thread>

namespace sluice::bench {

namespace {

using namespace std::chrono_literals;

constexpr time_t k_patience_s = 10;
constexpr auto k_connect_patience = 20s;

core::Fd connect_when_there(const std::string& endpoint) {
  const auto end = std::chrono::steady_clock::now() + k_connect_patience;
  for (;;) {
    try {
      return connect_to(endpoint);
    } catch (const std::runtime_error&) {
      if (std::chrono::steady_clock::now() > end) throw;
    }
    std::this_thread::sleep_for(2ms);
  }
}

class RawAsker final : public Asker {
 public:
  explicit RawAsker(const std::string& endpoint) : m_fd(connect_when_there(endpoint)) {
    const timeval patience{k_patience_s, 0};
    setsockopt(m_fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }

  void ask() override {
    if (send(m_fd.get(), m_bytes.data(), m_bytes.size(), MSG_NOSIGNAL) < 0) {
      throw std::runtime_error("cannot ask");
    }
    for (std::size_t got = 0; got < m_bytes.size();) {
      const auto n = recv(m_fd.get(), m_bytes.data() + got, m_bytes.size() - got, 0);
      if (n <= 0) throw std::runtime_error("no answer");
      got += static_cast<std::size_t>(n);
    }
  }

 private:
  core::Fd m_fd;
  std::array<char, k_request_size> m_bytes{};
};

class ZmqAsker final : public Asker {
 public:
  ZmqAsker(void* context, const std::string& endpoint) : m_socket(context, ZMQ_REQ) {
    m_socket.set(ZMQ_RCVTIMEO, static_cast<int>(k_patience_s) * 1000);
    m_socket.connect(endpoint);
  }

  void ask() override {
    if (zmq_send(m_socket.get(), m_bytes.data(), m_bytes.size(), 0) < 0) {
      throw std::runtime_error("cannot ask");
    }
    if (zmq_recv(m_socket.get(), m_bytes.data(), m_bytes.size(), 0) !=
        static_cast<int>(m_bytes.size())) {
      throw std::runtime_error("no answer");
    }
  }

 private:
  Socket m_socket;
  std::array<char, k_request_size> m_bytes{};
};

}  // namespace

std::unique_ptr<Asker> make_raw_asker(const std::string& endpoint) {
  return std::make_unique<RawAsker>(endpoint);
}

std::unique_ptr<Asker> make_zmq_asker(void* context, const std::string& endpoint) {
  return std::make_unique<ZmqAsker>(context, endpoint);
}

}  // namespace sluice::bench
