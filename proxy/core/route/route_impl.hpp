// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/loop/loop_counters.hpp"
#include "core/route/assembly.hpp"
#include "core/route/command_queue.hpp"

#include <sluice/route.hpp>

#include <atomic>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <type_traits>

namespace sluice {

/// The thread-safe side of a route: starts and ends the loop's thread and hands it commands.
class Route::Impl {
 public:
  Impl(void* context, RouteOptions options);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void start();
  void run();

  /// Runs `f` on the loop's thread between two turns and returns what it returns or throws. Throws
  /// std::runtime_error when the route is not running or does not answer in time.
  template <typename F>
  auto call(F f) -> std::invoke_result_t<F, core::Assembly&> {
    using Result = std::invoke_result_t<F, core::Assembly&>;
    auto task = std::make_shared<std::packaged_task<Result()>>(
        [this, f = std::move(f)]() -> Result { return f(*m_assembly); });
    auto answer = task->get_future();
    if (!m_queue.post([task] { (*task)(); })) throw_not_running();
    task.reset();
    if (answer.wait_for(k_patience) != std::future_status::ready) throw_no_answer();
    try {
      if constexpr (std::is_void_v<Result>) {
        answer.get();
        forget_status();
      } else {
        Result result = answer.get();
        forget_status();
        return result;
      }
    } catch (const std::future_error&) {
      throw_not_running();
    }
  }

  void set(const Tuning& tuning);
  bool set_on_full(const std::string& sink, OnFull policy);
  void reconfigure(RouteOptions next);
  [[nodiscard]] Tuning tuning() const;
  [[nodiscard]] Statistics statistics() const;
  [[nodiscard]] RouteStatus status();
  [[nodiscard]] RouteState state() const noexcept { return m_counters.state.load(); }
  [[nodiscard]] std::string reason() const;
  [[nodiscard]] const RouteOptions& options() const noexcept { return m_options; }
  [[nodiscard]] bool ping(std::chrono::milliseconds timeout);

  void request_stop();
  void request_drain();
  bool wait_stopped(std::chrono::milliseconds timeout);

 private:
  static constexpr std::chrono::seconds k_patience{1};

  void carry_out(std::shared_ptr<const core::RouteChange> change, core::Nanoseconds linger);
  void forget_lost(const std::vector<std::string>& lost, const std::string& why);
  void require_steady() const;
  void body(std::promise<void>* started);
  void steer_requests();
  void finish(std::string reason);
  void join();
  void request(std::atomic<bool>& flag);
  void forget_status();
  [[noreturn]] void throw_not_running() const;
  [[noreturn]] void throw_no_answer() const;

  void* m_context;
  const RouteOptions m_options;  // as constructed
  core::LoopCounters m_counters;
  core::ThreadUsage m_usage;
  core::CommandQueue m_queue;
  std::optional<core::Assembly> m_assembly;  // the loop's thread only

  std::atomic<bool> m_stop_requested{false};
  std::atomic<bool> m_drain_requested{false};
  std::atomic<core::Nanoseconds> m_stop_deadline{0};

  mutable std::mutex m_mutex;
  std::condition_variable m_stopped;
  bool m_running = false;
  std::string m_reason = "not started";
  RouteOptions m_current;  // what runs, but for the tuning
  Tuning m_tuning;
  RouteStatus m_status;
  core::Nanoseconds m_status_time = 0;

  std::atomic<core::Nanoseconds> m_linger;
  std::mutex m_change_mutex;  // one change at a time
  std::mutex m_thread_mutex;
  std::thread m_thread;
};

}  // namespace sluice
