// SPDX-License-Identifier: Apache-2.0
#include "facts.hpp"
#include "families/family.hpp"
#include "flags.hpp"
#include "process/stock.hpp"
#include "receiver/process.hpp"
#include "roundtrip/echo.hpp"
#include "scratch.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <malloc.h>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace {

using namespace sluice::bench;

void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::vector<Case> all_cases(const Flags& flags) {
  std::vector<Case> cases;
  for (const auto& family :
       {throughput_cases(flags), trickle_cases(flags), fanout_cases(flags), topics_cases(flags),
        peers_cases(flags), process_cases(flags), connect_cases(flags), roundtrip_cases(flags),
        batching_cases(flags), command_latency_cases(flags), external_cases(flags)}) {
    cases.insert(cases.end(), family.begin(), family.end());
  }
  return cases;
}

int run(std::vector<char*> arguments) {
  const Flags flags = take_flags(arguments);
  if (flags.mxfast != 0) mallopt(M_MXFAST, flags.mxfast);
  const ScratchGuard scratch;
  // One measurement is one iteration, however short: its length is ours to choose.
  std::string min_time = "--benchmark_min_time=0.000001";
  std::string counters_tabular = "--benchmark_counters_tabular=false";
  arguments.insert(arguments.begin() + 1, {min_time.data(), counters_tabular.data()});
  arguments.push_back(nullptr);
  int count = static_cast<int>(arguments.size()) - 1;
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 64;
  auto cases = all_cases(flags);
  if (flags.reverse) std::reverse(cases.begin(), cases.end());
  for (const auto& item : cases) {
    benchmark::RegisterBenchmark(item.name.c_str(), item.run)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  add_machine_facts();
  const auto ran = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return ran == 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  raise_descriptor_limit();
  try {
    std::vector<char*> arguments(argv, argv + argc);
    if (argc > 1 && std::string(argv[1]) == k_receiver_word) {
      return run_receiver({argv + 2, argv + argc});
    }
    if (argc > 1 && std::string(argv[1]) == k_stock_word) {
      return run_stock({argv + 2, argv + argc});
    }
    if (argc > 1 && std::string(argv[1]) == k_echo_word) {
      return run_echo({argv + 2, argv + argc});
    }
    for (const char* const argument : arguments) {
      if (std::string(argument) == "--help") std::fputs(flags_help(), stdout);
    }
    return run(std::move(arguments));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sluice-bench: %s\n", error.what());
    return 64;
  }
}
