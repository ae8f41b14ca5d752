// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

namespace sluice::bench {

namespace {

struct Pattern {
  const char* name;
  std::uint64_t rate;   ///< messages a second of one source
  std::uint64_t burst;  ///< due at the same moment
};

constexpr Pattern k_patterns[] = {
    {"even", 10'000, 1},     // one message a wake
    {"ticked", 10'000, 10},  // ten messages every millisecond
    {"even", 1'000, 1},
};

constexpr std::size_t k_sources = 4;
constexpr std::size_t k_size = 100;

Case paced_case(const Flags& flags, const std::string& variant, const Pattern& pattern,
                int hold_us) {
  Setup setup;
  setup.variant = variant;
  setup.path = flags.path_options();
  setup.path.sources = k_sources;
  setup.path.hold = std::chrono::microseconds(hold_us < 0 ? 0 : hold_us);
  if (hold_us <= 0) setup.path.adaptive = false;
  setup.load.kind = Load::Kind::paced;
  setup.load.size = k_size;
  setup.load.rate = pattern.rate;
  setup.load.burst = pattern.burst;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = 1;
  std::string name = "trickle/" + variant + "/sources:" + std::to_string(k_sources) +
                     "/rate:" + std::to_string(pattern.rate) + "/" + pattern.name;
  if (hold_us >= 0) name += "/hold_us:" + std::to_string(hold_us);
  return {name, [flags, setup](benchmark::State& state) { run_load(state, flags, setup); }};
}

}  // namespace

std::vector<Case> trickle_cases(const Flags& flags) {
  std::vector<Case> cases;
  for (const auto& pattern : k_patterns) {
    cases.push_back(paced_case(flags, "stock", pattern, -1));
    for (const char* variant : {"zmq", "native"}) {
      cases.push_back(paced_case(flags, variant, pattern, 0));
      cases.push_back(paced_case(flags, variant, pattern, 1000));
    }
    cases.push_back(paced_case(flags, "direct", pattern, -1));
    cases.push_back(paced_case(flags, "null", pattern, -1));
  }
  return cases;
}

}  // namespace sluice::bench
