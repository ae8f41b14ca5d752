// SPDX-License-Identifier: Apache-2.0
#include "engine_host.hpp"

#include "support/deadline.hpp"

#include <algorithm>
#include <cstring>
#include <future>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace sluice::test {

void fill(core::Message& message, const Parts& parts) {
  for (const auto& part : parts) {
    core::Frame& frame = message.next();
    zmq_msg_close(frame.raw());
    zmq_msg_init_size(frame.raw(), part.size());
    if (!part.empty()) std::memcpy(zmq_msg_data(frame.raw()), part.data(), part.size());
    message.push();
  }
}

EngineHost::EngineHost(const SinkOptions& options, std::size_t max_subscriptions)
    : m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  m_environment.route = "test";
  m_environment.max_subscriptions = max_subscriptions;
  m_environment.on_event = [this](const Event& event) {
    const std::lock_guard lock{m_mutex};
    m_events.emplace_back(event.text);
  };
  m_sink = sink::make_native_sink(options, m_environment);
  m_sink->open(m_waiter);
  m_waiter.add(m_wake.get(), EPOLLIN, *this);
  m_thread = std::thread{[this] { run(); }};
}

EngineHost::~EngineHost() {
  m_stop = true;
  wake();
  m_thread.join();
  m_sink->close(0);
  m_sink.reset();
  m_waiter.remove(m_wake.get(), *this);
}

void EngineHost::wake() const noexcept {
  const std::uint64_t one = 1;
  static_cast<void>(::write(m_wake.get(), &one, sizeof one));
}

void EngineHost::on_ready(std::uint32_t /*events*/) noexcept {
  std::uint64_t count = 0;
  static_cast<void>(::read(m_wake.get(), &count, sizeof count));
}

void EngineHost::call(const std::function<void(sink::Sink&)>& task) {
  std::promise<void> done;
  {
    const std::lock_guard lock{m_mutex};
    m_tasks.emplace_back([&] {
      task(*m_sink);
      done.set_value();
    });
  }
  wake();
  done.get_future().wait();
}

void EngineHost::publish(Parts parts) {
  {
    const std::lock_guard lock{m_mutex};
    m_messages.push_back(std::move(parts));
    ++m_waiting;
  }
  wake();
}

void EngineHost::publish_many(std::size_t count, const std::function<Parts(std::size_t)>& make) {
  {
    const std::lock_guard lock{m_mutex};
    for (std::size_t i = 0; i < count; ++i) m_messages.push_back(make(i));
    m_waiting += count;
  }
  wake();
}

SinkStatus EngineHost::status() {
  SinkStatus status;
  call([&](sink::Sink& sink) { status = sink.status(); });
  return status;
}

std::string EngineHost::endpoint(std::size_t i) {
  return status().endpoints.at(i);
}

std::vector<std::string> EngineHost::upstream() {
  static_cast<void>(status());  // a turn later: what the sink had to say by now has been read
  const std::lock_guard lock{m_mutex};
  return m_upstream;
}

std::vector<std::string> EngineHost::events() {
  const std::lock_guard lock{m_mutex};
  return m_events;
}

std::chrono::nanoseconds EngineHost::cpu() {
  clockid_t clock{};
  timespec t{};
  pthread_getcpuclockid(m_thread.native_handle(), &clock);
  clock_gettime(clock, &t);
  return std::chrono::seconds{t.tv_sec} + std::chrono::nanoseconds{t.tv_nsec};
}

bool EngineHost::peers(std::size_t count) {
  return eventually([&] { return status().peers == count; });
}

bool EngineHost::subscriptions(std::size_t count) {
  return eventually([&] { return status().subscriptions == count; });
}

void EngineHost::run() {
  while (!m_stop) turn();
}

void EngineHost::turn() {
  for (;;) {
    std::function<void()> task;
    {
      const std::lock_guard lock{m_mutex};
      if (m_tasks.empty()) break;
      task = std::move(m_tasks.front());
      m_tasks.pop_front();
    }
    task();
  }
  offer();
  const bool done = m_sink->flush(core::now() + core::k_millisecond);
  core::Message up;
  while (m_sink->receive(up)) {
    std::string line;
    for (std::size_t i = 0; i < up.frames(); ++i) {
      const auto bytes = up.frame(i).bytes();
      if (i != 0) line += '|';
      line.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    up.clear();
    const std::lock_guard lock{m_mutex};
    m_upstream.push_back(std::move(line));
  }
  if (m_sink->next_time() <= core::now()) m_sink->on_time(core::now());
  bool more = !done || (m_has_in_hand && m_sink->room());
  {
    const std::lock_guard lock{m_mutex};
    more = more || !m_tasks.empty() || (!m_has_in_hand && !m_messages.empty());
  }
  static_cast<void>(m_waiter.wait(core::Waiter::Scope::everything, more ? 0 : m_sink->next_time()));
}

void EngineHost::offer() {
  for (int i = 0; i < 1000; ++i) {
    if (!m_has_in_hand) {
      const std::lock_guard lock{m_mutex};
      if (m_messages.empty()) return;
      fill(m_in_hand, m_messages.front());
      m_messages.pop_front();
      m_has_in_hand = true;
    } else if (!m_sink->room()) {
      return;
    }
    if (m_sink->offer(m_in_hand, sink::Sink::Hand::give) == sink::Offer::full) return;
    m_in_hand.clear();
    m_has_in_hand = false;
    --m_waiting;
  }
}

}  // namespace sluice::test
