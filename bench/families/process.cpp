// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

#include <algorithm>
#include <array>

namespace sluice::bench {

namespace {

constexpr std::size_t k_sources = 4;
constexpr std::size_t k_size = 100;
constexpr std::array k_variants = {"stock", "sidecar", "sidecar_zmq", "zproxy",
                                   "nng",   "nats",    "mosquitto"};

struct Trickle {
  std::uint64_t rate;  ///< messages a second of one source
  std::size_t subscribers;
};
// Ten subscribers at the higher rate are more than a small machine can write to one by one.
constexpr std::array k_trickles = {Trickle{10'000, 1}, Trickle{1'000, 10}};
constexpr int k_hold_us = 1000;

Setup make_setup(const Flags& flags, const std::string& variant, std::size_t subscribers) {
  Setup setup;
  setup.variant = "process:" + variant;
  setup.path = flags.path_options();
  setup.path.sources = k_sources;
  setup.load.size = k_size;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = subscribers;
  return setup;
}

Case flood_case(const Flags& flags, const std::string& variant, std::size_t subscribers) {
  auto setup = make_setup(flags, variant, subscribers);
  setup.load.kind = Load::Kind::flood;
  return {"process/" + variant + "/sources:4/size:100/subs:" + std::to_string(subscribers),
          [flags, setup](benchmark::State& state) { run_load(state, flags, setup); }};
}

/// `hold_us` is of the sidecar only; negative: it does not have one, and its name neither.
Case paced_case(const Flags& flags, const std::string& variant, const Trickle& trickle,
                int hold_us) {
  auto setup = make_setup(flags, variant, trickle.subscribers);
  setup.path.hold = std::chrono::microseconds(std::max(hold_us, 0));
  if (hold_us <= 0) setup.path.adaptive = false;
  setup.load.kind = Load::Kind::paced;
  setup.load.rate = trickle.rate;
  std::string name = "process/" + variant + "/paced/rate:" + std::to_string(trickle.rate) +
                     "/size:100/subs:" + std::to_string(trickle.subscribers);
  if (hold_us >= 0) name += "/hold_us:" + std::to_string(hold_us);
  return {name, [flags, setup](benchmark::State& state) { run_load(state, flags, setup); }};
}

void add_paced(std::vector<Case>& cases, const Flags& flags, const Trickle& trickle) {
  for (const std::string variant : k_variants) {
    const bool ours = variant.rfind("sidecar", 0) == 0;
    cases.push_back(paced_case(flags, variant, trickle, ours ? 0 : -1));
    if (ours) cases.push_back(paced_case(flags, variant, trickle, k_hold_us));
  }
}

}  // namespace

std::vector<Case> process_cases(const Flags& flags) {
  std::vector<Case> cases;
  for (const std::size_t subscribers : {1U, 10U}) {
    for (const char* variant : k_variants) {
      cases.push_back(flood_case(flags, variant, subscribers));
    }
  }
  for (const auto& trickle : k_trickles) add_paced(cases, flags, trickle);
  return cases;
}

}  // namespace sluice::bench
