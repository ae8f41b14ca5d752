// SPDX-License-Identifier: Apache-2.0
#include "core/base/clock.hpp"
#include "core/base/counter.hpp"
#include "paths/paths.hpp"
#include "payload.hpp"
#include "socket.hpp"
#include "syscalls/role.hpp"

#include <zmq.h>

#include <atomic>
#include <future>
#include <pthread.h>
#include <set>
#include <thread>
#include <unistd.h>

namespace sluice::bench {

namespace {

constexpr const char* k_front = "inproc://null-front";

/// Receives what the sources send and throws it away: the bound for any proxy.
class NullPath final : public Path {
 public:
  NullPath(void* context, PathOptions options)
      : m_context(context), m_options(std::move(options)) {}
  ~NullPath() override { stop(); }
  NullPath(const NullPath&) = delete;
  NullPath& operator=(const NullPath&) = delete;

  void start() override {
    m_front = Socket(m_context, ZMQ_XSUB);
    m_front.set(ZMQ_RCVHWM, m_options.recv_hwm);
    m_front.set(ZMQ_RCVTIMEO, k_stop_poll_ms);
    m_front.bind(k_front);
    m_front.send("\1");
    std::promise<pid_t> started;
    auto thread_id = started.get_future();
    m_thread = std::thread([this, &started] {
      pthread_setname_np(pthread_self(), "bench-null");
      started.set_value(gettid());
      const syscalls::ForwardingScope scope;
      receive();
    });
    m_thread_id = thread_id.get();
  }

  void stop() override {
    if (!m_thread.joinable()) return;
    m_stopping.store(true);
    m_thread.join();
    m_front.close();
  }

  [[nodiscard]] std::string source_endpoint(std::size_t /*index*/) const override {
    return k_front;
  }
  [[nodiscard]] std::vector<std::string> subscriber_endpoints() const override { return {}; }
  [[nodiscard]] std::vector<pid_t> forwarding_threads() const override { return {m_thread_id}; }
  [[nodiscard]] bool is_receiver() const override { return true; }
  [[nodiscard]] std::size_t probed_sources() const override { return m_probed.get(); }
  [[nodiscard]] std::uint64_t received() const override { return m_received.get(); }
  [[nodiscard]] std::int64_t last_received_ns() const override { return m_last_ns.load(); }

 private:
  static constexpr int k_stop_poll_ms = 20;
  static constexpr std::uint64_t k_clock_every = 64;

  void receive() {
    std::set<std::uint16_t> probed;
    std::uint64_t received = 0;
    zmq_msg_t message;
    zmq_msg_init(&message);
    while (!m_stopping.load(std::memory_order_relaxed)) {
      // First without waiting: a receive that may block looks at the clock and at commands more.
      if (zmq_msg_recv(&message, m_front.get(), ZMQ_DONTWAIT) < 0) {
        m_last_ns.store(core::now(), std::memory_order_relaxed);
        m_received.set(received);
        if (zmq_msg_recv(&message, m_front.get(), 0) < 0) continue;
      }
      const auto header = read_header(static_cast<const std::byte*>(zmq_msg_data(&message)));
      if (header.kind == k_probe) {
        probed.insert(header.source);
        m_probed.set(probed.size());
      } else if (++received % k_clock_every == 0) {
        m_last_ns.store(core::now(), std::memory_order_relaxed);
        m_received.set(received);
      }
    }
    zmq_msg_close(&message);
  }

  void* m_context;
  PathOptions m_options;
  Socket m_front;
  std::thread m_thread;
  pid_t m_thread_id = 0;
  std::atomic<bool> m_stopping{false};
  core::Counter m_probed;
  core::Counter m_received;
  std::atomic<std::int64_t> m_last_ns{0};
};

}  // namespace

std::unique_ptr<Path> make_null_path(void* context, PathOptions options) {
  return std::make_unique<NullPath>(context, std::move(options));
}

}  // namespace sluice::bench
