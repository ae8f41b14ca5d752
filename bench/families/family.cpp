// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

#include <exception>

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
  counters["path_cpu_ns_per_msg"] = path_cpu_ns / sent;
  if (delivered > 0) counters["path_cpu_ns_per_delivery"] = path_cpu_ns / delivered;
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

}  // namespace

void run_case(benchmark::State& state, const Flags& flags,
              const std::function<Outcome(benchmark::State&)>& measure) {
  for (auto _ : state) {
    try {
      int retries = 0;
      Outcome outcome = measure(state);
      while (outcome.spent.steal_percent > flags.steal_limit && retries < flags.steal_retries) {
        ++retries;
        outcome = measure(state);
      }
      state.SetIterationTime(outcome.seconds);
      write_counters(state, outcome);
      state.counters["steal_retries"] = retries;
      if (outcome.spent.steal_percent > flags.steal_limit) state.SetLabel("much steal time");
    } catch (const Unavailable& error) {
      state.SkipWithError(("skipped: " + std::string(error.what())).c_str());
      return;
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
      return;
    }
  }
}

void run_load(benchmark::State& state, const Flags& flags, const Setup& setup) {
  run_case(state, flags, [&setup](benchmark::State&) { return Bed(setup).measure(); });
}

}  // namespace sluice::bench
