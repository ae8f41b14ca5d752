// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bed.hpp"
#include "flags.hpp"

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

namespace sluice::bench {

/// A benchmark before it is registered.
struct Case {
  std::string name;
  std::function<void(benchmark::State&)> run;
};

// One function a family, one file each.
std::vector<Case> throughput_cases(const Flags& flags);
std::vector<Case> trickle_cases(const Flags& flags);
std::vector<Case> fanout_cases(const Flags& flags);
std::vector<Case> topics_cases(const Flags& flags);
std::vector<Case> peers_cases(const Flags& flags);
std::vector<Case> process_cases(const Flags& flags);
std::vector<Case> connect_cases(const Flags& flags);
std::vector<Case> roundtrip_cases(const Flags& flags);
std::vector<Case> batching_cases(const Flags& flags);
std::vector<Case> command_latency_cases(const Flags& flags);
/// Empty unless the flags name a proxy that runs already.
std::vector<Case> external_cases(const Flags& flags);

/// Runs `measure`, again while the machine lost more than the limit to its hypervisor, and writes
/// the counters of the last run. Reports what cannot be run as skipped, by name.
void run_case(benchmark::State& state, const Flags& flags,
              const std::function<Outcome(benchmark::State&)>& measure);

/// What a measurement found out that is not a load.
struct Figures {
  double seconds = 0;
  double steal_percent = 0;
  PathCounters counters;
};
/// The same for such a measurement.
void run_figures(benchmark::State& state, const Flags& flags,
                 const std::function<Figures()>& measure);
/// Median, 99th percentile and worst under `name`_p50_us, `name`_p99_us, `name`_max_us.
void write_quantiles(PathCounters& counters, const std::string& name, const Histogram& histogram);

/// Sets up and measures one load.
void run_load(benchmark::State& state, const Flags& flags, const Setup& setup);
/// The same with steering commands meanwhile, one after the other with `gap` between them, and how
/// long they took.
void run_commanded_load(benchmark::State& state, const Flags& flags, const Setup& setup,
                        std::chrono::microseconds gap);

}  // namespace sluice::bench
