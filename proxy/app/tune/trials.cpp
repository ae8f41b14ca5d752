// SPDX-License-Identifier: Apache-2.0
#include "app/tune/trials.hpp"

#include "app/load/run.hpp"

#include <atomic>
#include <thread>
#include <utility>

namespace sluice::app::tune {
namespace {

using core::Nanoseconds;

constexpr std::chrono::milliseconds k_command_interval{5};
constexpr std::chrono::milliseconds k_command_timeout{10'000};

/// Times one command after the other on a thread of its own.
class Commander {
 public:
  explicit Commander(const std::string& control)
      : m_client({control}, k_command_timeout), m_thread([this] { run(); }) {}
  ~Commander() { finish(); }
  Commander(const Commander&) = delete;
  Commander& operator=(const Commander&) = delete;

  const measure::Histogram& finish() {
    m_stopping.store(true);
    if (m_thread.joinable()) m_thread.join();
    return m_times;
  }

 private:
  void run() noexcept {
    try {
      while (!m_stopping.load()) {
        const Nanoseconds start = core::now();
        static_cast<void>(m_client.request("PING"));
        m_times.add(core::now() - start);
        std::this_thread::sleep_for(k_command_interval);
      }
    } catch (const std::exception&) {  // the sidecar has gone, which the trial sees for itself
    }
  }

  ControlClient m_client;
  measure::Histogram m_times;
  std::atomic<bool> m_stopping{false};
  std::thread m_thread;
};

load::Options load_of(const Workload& w, const Child& child, std::uint64_t rate) {
  load::Options o;
  o.publish = {{child.source(), false}};
  o.subscribe = {{child.sink(), false}};
  o.publishers = w.publishers;
  o.subscribers = w.subscribers;
  o.rate = rate;
  o.burst = rate == 0 ? 1 : w.burst;
  o.size = w.size;
  o.topics = {"t"};
  o.duration = std::chrono::minutes(1);  // it is ended when enough was seen
  o.wait = std::chrono::seconds(15);
  o.name = "tune";
  return o;
}

}  // namespace

Trials::Trials(const Workload& workload, const RouteOptions& like, std::function<bool()> go_on)
    : m_workload(workload), m_like(like), m_go_on(std::move(go_on)) {}

Child& Trials::child(Engine engine) {
  auto& child = m_children[engine];
  if (!child) child = std::make_unique<Child>(m_scratch, engine, m_like, m_workload.tcp);
  return *child;
}

// One load; its counters between the first progress and `time` later.
Trials::Window Trials::run(Child& child, std::uint64_t rate, Nanoseconds time) {
  Window window;
  top::Sample before;
  Nanoseconds cpu = 0;
  Nanoseconds began = 0;
  bool interrupted = false;
  load::Options options = load_of(m_workload, child, rate);
  options.name += '-' + std::to_string(m_runs++);
  const load::Result result = load::run_load(options, [&](const load::Progress& progress) {
    interrupted = !m_go_on();
    if (interrupted) return false;
    if (progress.done == 0) return true;
    if (began == 0) {
      before = child.sample();
      cpu = child.cpu();  // the question itself is not counted
      began = core::now();
      return true;
    }
    if (core::now() - began < time) return true;
    window.cpu_ns = static_cast<double>(child.cpu() - cpu);
    window.seconds = static_cast<double>(core::now() - began) / 1e9;
    const top::Sample after = child.sample();
    window.messages = static_cast<double>(after.messages() - before.messages());
    if (before.calls && after.calls) {
      window.calls = static_cast<double>(*after.calls - *before.calls);
    }
    return false;
  });
  if (interrupted) throw Interrupted();
  if (result.lost > 0) throw std::runtime_error("messages were lost while measuring");
  if (window.messages < 1) throw std::runtime_error("nothing passed while measuring");
  window.latency = result.latency;
  window.lateness = result.lateness;
  return window;
}

AtWorkload Trials::at_workload(const Knobs& knobs, Nanoseconds time) {
  Child& sidecar = child(knobs.engine);
  sidecar.set(knobs.tuning);
  const Window window = run(sidecar, m_workload.rate, time);
  AtWorkload out;
  out.cpu_ns = window.cpu_ns / window.messages;
  if (window.calls) out.calls = *window.calls / window.messages;
  out.p50_us = window.latency.quantile_ns(0.5) / 1'000;
  out.p99_us = window.latency.quantile_ns(0.99) / 1'000;
  out.lateness_us = window.lateness.quantile_ns(0.99) / 1'000;
  return out;
}

InFlood Trials::in_flood(const Knobs& knobs, Nanoseconds time) {
  Child& sidecar = child(knobs.engine);
  sidecar.set(knobs.tuning);
  Commander commander(sidecar.control());
  const Window window = run(sidecar, 0, time);
  const measure::Histogram& commands = commander.finish();
  InFlood out;
  out.messages_per_s = window.messages / window.seconds;
  out.cpu_ns = window.cpu_ns / window.messages;
  out.command_p50_us = commands.quantile_ns(0.5) / 1'000;
  out.command_p99_us = commands.quantile_ns(0.99) / 1'000;
  return out;
}

}  // namespace sluice::app::tune
