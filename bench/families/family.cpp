// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

#include <exception>
#include <thread>

namespace sluice::bench {

namespace {

/// A path in this process.
void write_path(benchmark::State& state, const Outcome& outcome) {
  auto& counters = state.counters;
  const auto sent = static_cast<double>(outcome.sent);
  const auto delivered = static_cast<double>(outcome.delivered);
  const auto& spent = outcome.spent;
  if (spent.forwarding_cpu_ns > 0) counters["cpu_ns_per_msg"] = spent.forwarding_cpu_ns / sent;
  const double path_cpu_ns = spent.forwarding_cpu_ns + spent.io_cpu_ns;
  counters["io_cpu_ns_per_msg"] = spent.io_cpu_ns / sent;
  if (path_cpu_ns > 0) {
    counters["path_cpu_ns_per_msg"] = path_cpu_ns / sent;
    if (delivered > 0) counters["path_cpu_ns_per_delivery"] = path_cpu_ns / delivered;
  }
  if (spent.calls) {
    counters["polls_per_msg"] = spent.calls->polls / sent;
    counters["writes_per_msg"] = spent.calls->writes / sent;
    counters["syscalls_per_msg"] = spent.calls->all / sent;
    counters["forwarding_syscalls_per_msg"] = spent.calls->forwarding / sent;
  }
}

/// A path that is another process; the threads of this one are publishers only.
void write_intermediary(benchmark::State& state, const Outcome& outcome) {
  const auto delivered = static_cast<double>(outcome.delivered);
  if (delivered > 0) {
    state.counters["cpu_ns_per_delivery"] = outcome.intermediary->cpu_ns / delivered;
  }
  state.counters["cpu_cores"] = outcome.intermediary->cpu_ns / (outcome.seconds * 1e9);
  state.counters["rss_bytes"] = static_cast<double>(outcome.intermediary->memory.resident);
  state.counters["peak_rss_bytes"] = static_cast<double>(outcome.intermediary->memory.peak);
}

void write_counters(benchmark::State& state, const Outcome& outcome) {
  auto& counters = state.counters;
  const auto sent = static_cast<double>(outcome.sent);
  const auto delivered = static_cast<double>(outcome.delivered);
  const auto& spent = outcome.spent;
  counters["messages"] = sent;
  counters["lost"] = static_cast<double>(outcome.lost);
  counters["disorder"] = static_cast<double>(outcome.disorder);
  counters["steal_percent"] = spent.steal_percent;
  if (sent > 0) {
    counters["msgs_per_s"] = sent / outcome.seconds;
    counters["deliveries_per_s"] = delivered / outcome.seconds;
    counters["process_cpu_ns_per_msg"] = spent.process_cpu_ns / sent;
  }
  if (outcome.intermediary) {
    write_intermediary(state, outcome);
  } else if (sent > 0) {
    write_path(state, outcome);
  }
  if (outcome.latency.total() != 0) {
    counters["p50_us"] = outcome.latency.quantile_ns(0.50) / 1e3;
    counters["p99_us"] = outcome.latency.quantile_ns(0.99) / 1e3;
  }
  if (outcome.first.total() != 0) {
    counters["rounds"] = static_cast<double>(outcome.first.total());
    counters["first_us"] = outcome.first.quantile_ns(0.50) / 1e3;
    counters["last_us"] = outcome.last.quantile_ns(0.50) / 1e3;
    counters["first_p99_us"] = outcome.first.quantile_ns(0.99) / 1e3;
    counters["last_p99_us"] = outcome.last.quantile_ns(0.99) / 1e3;
  }
  for (const auto& [name, value] : outcome.counters) counters[name] = value;
}

/// One measurement, and again while the hypervisor took too much of the machine.
template <typename Measure, typename Steal, typename Write>
void repeat(benchmark::State& state, const Flags& flags, const Measure& measure,
            const Steal& steal_of, const Write& write) {
  for (auto _ : state) {
    try {
      int retries = 0;
      auto result = measure();
      while (steal_of(result) > flags.steal_limit && retries < flags.steal_retries) {
        ++retries;
        result = measure();
      }
      state.SetIterationTime(result.seconds);
      write(result);
      state.counters["steal_retries"] = retries;
      if (steal_of(result) > flags.steal_limit) state.SetLabel("much steal time");
    } catch (const Unavailable& error) {
      state.SkipWithError(("skipped: " + std::string(error.what())).c_str());
      return;
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
      return;
    }
  }
}

}  // namespace

void run_case(benchmark::State& state, const Flags& flags,
              const std::function<Outcome(benchmark::State&)>& measure) {
  repeat(
      state, flags, [&] { return measure(state); },
      [](const Outcome& outcome) { return outcome.spent.steal_percent; },
      [&state](const Outcome& outcome) { write_counters(state, outcome); });
}

void run_figures(benchmark::State& state, const Flags& flags,
                 const std::function<Figures()>& measure) {
  repeat(
      state, flags, measure, [](const Figures& figures) { return figures.steal_percent; },
      [&state](const Figures& figures) {
        for (const auto& [name, value] : figures.counters) state.counters[name] = value;
        state.counters["steal_percent"] = figures.steal_percent;
      });
}

void write_quantiles(PathCounters& counters, const std::string& name, const Histogram& histogram) {
  counters[name + "_p50_us"] = histogram.quantile_ns(0.50) / 1e3;
  counters[name + "_p99_us"] = histogram.quantile_ns(0.99) / 1e3;
  counters[name + "_max_us"] = histogram.quantile_ns(1.0) / 1e3;
}

void run_load(benchmark::State& state, const Flags& flags, const Setup& setup) {
  run_case(state, flags, [&setup](benchmark::State&) { return Bed(setup).measure(); });
}

void run_commanded_load(benchmark::State& state, const Flags& flags, const Setup& setup,
                        std::chrono::microseconds gap) {
  run_case(state, flags, [&](benchmark::State&) {
    Histogram commands;
    auto outcome = Bed(setup).measure([&](Path& path) {
      if (const auto took = path.command()) commands.add(took->count());
      std::this_thread::sleep_for(gap);
    });
    outcome.counters["commands"] = static_cast<double>(commands.total());
    write_quantiles(outcome.counters, "command", commands);
    return outcome;
  });
}

}  // namespace sluice::bench
