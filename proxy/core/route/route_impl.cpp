// SPDX-License-Identifier: Apache-2.0
#include "core/route/route_impl.hpp"

#include "core/route/options_check.hpp"
#include "syscalls/role.hpp"

#include <zmq.h>

#include <csignal>
#include <pthread.h>
#include <utility>

namespace sluice {
namespace {

using core::Nanoseconds;
using core::now;

// A status is copied by the loop at most this often.
constexpr Nanoseconds k_status_age = 100 * core::k_millisecond;

/// Threads made while this lives take no signals: handlers run on the host's own threads.
class SignalsBlocked {
 public:
  SignalsBlocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &m_before);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t m_before{};
};

std::string reason_of(core::Loop::Ended how, int error) {
  switch (how) {
    case core::Loop::Ended::terminated:
      return "terminated";
    case core::Loop::Ended::drained:
      return "drained";
    case core::Loop::Ended::context_terminated:
      return "context terminated";
    default:
      return std::string{"failed: "} + zmq_strerror(error);
  }
}

}  // namespace

Route::Impl::Impl(void* context, RouteOptions options)
    : m_context(context),
      m_options(std::move(options)),
      m_current(m_options),
      m_tuning(m_options.tuning),
      m_linger(core::to_ns(m_options.linger)) {
  core::check(m_options);
  m_counters.state.store(RouteState::stopped);
}

Route::Impl::~Impl() {
  request_stop();
  join();
}

void Route::Impl::join() {
  const std::lock_guard lock{m_thread_mutex};
  if (m_thread.joinable()) m_thread.join();
}

void Route::Impl::start() {
  const std::lock_guard thread_lock{m_thread_mutex};
  {
    const std::lock_guard lock{m_mutex};
    if (m_running) throw std::logic_error("route " + m_options.name + " is running");
    m_running = true;
  }
  if (m_thread.joinable()) m_thread.join();
  std::promise<void> started;
  auto answer = started.get_future();
  try {
    const SignalsBlocked blocked;
    m_thread = std::thread([this, &started] {
      pthread_setname_np(pthread_self(), ("sl/" + m_options.name).substr(0, 15).c_str());
      body(&started);
    });
  } catch (...) {
    finish("failed: no thread");
    throw;
  }
  try {
    answer.get();
  } catch (...) {
    m_thread.join();  // the promise and the exception are its own too until it has ended
    throw;
  }
}

void Route::Impl::run() {
  {
    const std::lock_guard lock{m_mutex};
    if (m_running) throw std::logic_error("route " + m_options.name + " is running");
    m_running = true;
  }
  std::promise<void> started;
  auto answer = started.get_future();
  body(&started);
  answer.get();
}

void Route::Impl::body(std::promise<void>* started) {
  const syscalls::ForwardingScope role;
  m_usage.begin();
  m_stop_deadline.store(0);
  m_counters.state.store(RouteState::starting);
  try {
    RouteOptions options;
    {
      const std::lock_guard lock{m_mutex};
      options = m_current;
      options.tuning = m_tuning;
    }
    m_assembly.emplace(m_context, options, m_counters);
    m_assembly->open();
    m_queue.open(m_assembly->loop().waiter());
  } catch (const std::exception& e) {
    if (m_assembly) m_assembly->close_down(now() + m_linger.load());
    m_queue.close();
    m_assembly.reset();
    m_usage.end();
    finish(std::string{"failed: "} + e.what());
    started->set_exception(std::current_exception());
    return;
  }
  m_counters.state.store(RouteState::running);
  started->set_value();
  steer_requests();
  auto& loop = m_assembly->loop();
  const auto ended = loop.run();
  const std::string reason = reason_of(ended, loop.error());
  if (m_stop_deadline.load() == 0) m_stop_deadline.store(now() + m_linger.load());
  const bool delivered = m_assembly->close_down(m_stop_deadline.load());
  m_queue.close();
  m_assembly.reset();
  m_usage.end();
  if (!delivered && ended != core::Loop::Ended::context_terminated && m_options.on_event) {
    m_options.on_event(Event{Severity::warning, m_options.name,
                             "the linger ended before everything accepted was delivered"});
  }
  finish(reason);
}

// A request that came before the queue was open.
void Route::Impl::steer_requests() {
  auto& loop = m_assembly->loop();
  if (m_stop_requested.load()) {
    loop.terminate();
  } else if (m_drain_requested.load()) {
    loop.drain(now() + m_linger.load() / 2);
  }
}

void Route::Impl::finish(std::string reason) {
  const std::lock_guard lock{m_mutex};
  m_reason = std::move(reason);
  m_running = false;
  m_stop_requested.store(false);
  m_drain_requested.store(false);
  m_counters.state.store(RouteState::stopped);
  m_stopped.notify_all();
}

void Route::Impl::request(std::atomic<bool>& flag) {
  {
    const std::lock_guard lock{m_mutex};
    if (!m_running) return;
    flag.store(true);
  }
  Nanoseconds unset = 0;
  m_stop_deadline.compare_exchange_strong(unset, now() + m_linger.load());
  m_queue.post([this] { steer_requests(); });
}

void Route::Impl::request_stop() {
  request(m_stop_requested);
}
void Route::Impl::request_drain() {
  request(m_drain_requested);
}

bool Route::Impl::wait_stopped(std::chrono::milliseconds timeout) {
  std::unique_lock lock{m_mutex};
  return m_stopped.wait_for(lock, timeout, [this] { return !m_running; });
}

Tuning Route::Impl::tuning() const {
  const std::lock_guard lock{m_mutex};
  return m_tuning;
}

Statistics Route::Impl::statistics() const {
  Statistics statistics = m_counters.read();
  m_usage.add_to(statistics.loop);
  return statistics;
}

RouteStatus Route::Impl::status() {
  bool fresh = false;
  {
    const std::lock_guard lock{m_mutex};
    fresh = !m_running || (m_status_time != 0 && now() - m_status_time < k_status_age);
  }
  if (!fresh) {
    try {
      auto copy = call([](core::Assembly& a) {
        RouteStatus status;
        a.append_status(status);
        return status;
      });
      const std::lock_guard lock{m_mutex};
      m_status = std::move(copy);
      m_status_time = now();
    } catch (const std::runtime_error&) {
      // It is starting or has just stopped: the last copy stands.
    }
  }
  RouteStatus status;
  {
    const std::lock_guard lock{m_mutex};
    status = m_status;
    status.tuning = m_tuning;
    if (!m_running) status.reason = m_reason;
  }
  status.name = m_options.name;
  status.state = state();
  status.statistics = statistics();
  return status;
}

std::string Route::Impl::reason() const {
  const std::lock_guard lock{m_mutex};
  return m_running ? std::string{} : m_reason;
}

bool Route::Impl::ping(std::chrono::milliseconds timeout) {
  auto answered = std::make_shared<std::promise<void>>();
  auto answer = answered->get_future();
  if (!m_queue.post([answered] { answered->set_value(); })) return false;
  answered.reset();
  if (answer.wait_for(timeout) != std::future_status::ready) return false;
  try {
    answer.get();
    return true;
  } catch (const std::future_error&) {
    return false;
  }
}

void Route::Impl::forget_status() {
  const std::lock_guard lock{m_mutex};
  m_status_time = 0;
}

void Route::Impl::throw_not_running() const {
  throw std::runtime_error("route " + m_options.name + " is not running");
}

void Route::Impl::throw_no_answer() const {
  throw std::runtime_error("route " + m_options.name + " did not answer within 1 s");
}

}  // namespace sluice
