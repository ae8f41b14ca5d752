// SPDX-License-Identifier: Apache-2.0
#include "core/base/clock.hpp"
#include "paths/paths.hpp"
#include "paths/polled_proxy.hpp"
#include "socket.hpp"
#include "syscalls/role.hpp"

#include <zmq.h>

#include <future>
#include <pthread.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace sluice::bench {

namespace {

constexpr const char* k_front = "inproc://stock-front";
constexpr const char* k_control = "inproc://stock-control";

/// libzmq's zmq_proxy_steerable with its control socket, XSUB in front and XPUB behind; or in its
/// place one that polls before every so many messages.
class StockPath final : public Path {
 public:
  StockPath(void* context, PathOptions options, bool polled)
      : m_context(context), m_options(std::move(options)), m_polled(polled) {}
  ~StockPath() override { stop(); }
  StockPath(const StockPath&) = delete;
  StockPath& operator=(const StockPath&) = delete;

  void start() override {
    m_front = Socket(m_context, ZMQ_XSUB);
    m_front.set(ZMQ_RCVHWM, m_options.recv_hwm);
    m_front.set(ZMQ_SNDHWM, 0);
    m_front.bind(k_front);
    m_back = Socket(m_context, ZMQ_XPUB);
    m_back.set(ZMQ_SNDHWM, m_options.send_hwm);
    m_back.set(ZMQ_RCVHWM, 0);
    m_back.set(ZMQ_XPUB_NODROP, m_options.block ? 1 : 0);
    m_back.set(ZMQ_BACKLOG, k_backlog);
    m_back.bind(fresh_endpoint(m_options.transport));
    m_endpoint = m_back.last_endpoint();
    m_proxy_control = Socket(m_context, ZMQ_REP);
    m_proxy_control.bind(k_control);
    m_control = Socket(m_context, ZMQ_REQ);
    m_control.connect(k_control);
    std::promise<pid_t> started;
    auto thread_id = started.get_future();
    m_thread = std::thread([this, &started] {
      pthread_setname_np(pthread_self(), "bench-stock");
      started.set_value(gettid());
      const syscalls::ForwardingScope scope;
      forward();
    });
    m_thread_id = thread_id.get();
  }

  void stop() override {
    if (!m_thread.joinable()) return;
    m_control.send("TERMINATE");
    m_thread.join();
    m_control.close();
    m_proxy_control.close();
    m_front.close();
    m_back.close();
  }

  [[nodiscard]] std::string source_endpoint(std::size_t /*index*/) const override {
    return k_front;
  }
  [[nodiscard]] std::vector<std::string> subscriber_endpoints() const override {
    return {m_endpoint};
  }
  [[nodiscard]] std::vector<pid_t> forwarding_threads() const override { return {m_thread_id}; }

  std::optional<std::chrono::nanoseconds> command() override {
    const auto begin = core::now();
    m_control.send("STATISTICS");
    zmq_msg_t frame;
    zmq_msg_init(&frame);
    do {
      if (zmq_msg_recv(&frame, m_control.get(), 0) < 0) throw std::runtime_error("no answer");
    } while (zmq_msg_more(&frame) != 0);
    zmq_msg_close(&frame);
    return std::chrono::nanoseconds(core::now() - begin);
  }

 private:
  static constexpr int k_backlog = 1024;

  void forward() {
    if (m_polled) {
      polled_proxy(m_front.get(), m_back.get(), m_proxy_control.get(), m_options.burst);
    } else {
      zmq_proxy_steerable(m_front.get(), m_back.get(), nullptr, m_proxy_control.get());
    }
  }

  void* m_context;
  PathOptions m_options;
  bool m_polled;
  Socket m_front;
  Socket m_back;
  Socket m_proxy_control;
  Socket m_control;
  std::string m_endpoint;
  std::thread m_thread;
  pid_t m_thread_id = 0;
};

}  // namespace

std::unique_ptr<Path> make_stock_path(void* context, PathOptions options) {
  return std::make_unique<StockPath>(context, std::move(options), false);
}

std::unique_ptr<Path> make_polled_path(void* context, PathOptions options) {
  return std::make_unique<StockPath>(context, std::move(options), true);
}

}  // namespace sluice::bench
