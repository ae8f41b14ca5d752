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
/// Empty unless the flags name a proxy that runs already.
std::vector<Case> external_cases(const Flags& flags);

/// Runs `measure`, again while the machine lost more than the limit to its hypervisor, and writes
/// the counters of the last run. Reports what cannot be run as skipped, by name.
void run_case(benchmark::State& state, const Flags& flags,
              const std::function<Outcome(benchmark::State&)>& measure);

/// Sets up and measures one load.
void run_load(benchmark::State& state, const Flags& flags, const Setup& setup);

}  // namespace sluice::bench
