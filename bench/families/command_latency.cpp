// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

namespace sluice::bench {

namespace {

constexpr std::uint32_t k_rates[] = {1, 10, 100, 1000, 10'000};
constexpr std::int64_t k_delays_us[] = {0, 100, 1000, 10'000, 100'000, 1'000'000};
constexpr std::int64_t k_usual_delay_us = 1000;
constexpr std::uint32_t k_usual_rate = 1000;
// Some hundred commands a load, and still next to no work.
constexpr auto k_command_gap = std::chrono::microseconds(3000);

Case flood_case(const Flags& flags, const std::string& variant, const std::string& setting,
                const PathOptions& path) {
  Setup setup;
  setup.variant = variant;
  setup.path = path;
  setup.path.sources = 4;
  setup.load.kind = Load::Kind::flood;
  setup.load.size = 100;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = 1;
  auto name = "command_latency/" + variant + "/sources:4/size:100" + setting;
  return {name, [flags, setup](benchmark::State& state) {
            run_commanded_load(state, flags, setup, k_command_gap);
          }};
}

Case ours(const Flags& flags, const std::string& variant, std::uint32_t rate,
          std::int64_t delay_us) {
  auto path = flags.path_options();
  path.inbound_poll_rate = rate;
  path.max_command_delay = std::chrono::microseconds(delay_us);
  return flood_case(flags, variant,
                    "/poll_rate:" + std::to_string(rate) + "/delay_us:" + std::to_string(delay_us),
                    path);
}

}  // namespace

std::vector<Case> command_latency_cases(const Flags& flags) {
  std::vector<Case> cases;
  cases.push_back(flood_case(flags, "stock", "", flags.path_options()));
  for (const auto rate : k_rates) {
    auto path = flags.path_options();
    path.burst = rate;
    cases.push_back(flood_case(flags, "polled", "/poll_rate:" + std::to_string(rate), path));
  }
  for (const auto rate : k_rates) {
    for (const auto delay_us : k_delays_us) cases.push_back(ours(flags, "native", rate, delay_us));
  }
  // Both constants of the other engine, one at a time.
  for (const auto rate : k_rates) cases.push_back(ours(flags, "zmq", rate, k_usual_delay_us));
  for (const auto delay_us : k_delays_us) {
    if (delay_us != k_usual_delay_us) cases.push_back(ours(flags, "zmq", k_usual_rate, delay_us));
  }
  return cases;
}

}  // namespace sluice::bench
