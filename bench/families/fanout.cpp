// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

namespace sluice::bench {

namespace {

constexpr const char* k_variants[] = {"stock", "zmq", "native", "direct"};

Case flood_case(const Flags& flags, const std::string& variant, std::size_t subscribers) {
  Setup setup;
  setup.variant = variant;
  setup.path = flags.path_options();
  setup.path.sources = 4;
  setup.load.kind = Load::Kind::flood;
  setup.load.size = 100;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = subscribers;
  return {"fanout/" + variant + "/flood/sources:4/size:100/subs:" + std::to_string(subscribers),
          [flags, setup](benchmark::State& state) { run_load(state, flags, setup); }};
}

/// One message at a time to all: when the first and when the last of them has it.
Case latency_case(const Flags& flags, const std::string& variant, std::size_t size,
                  std::size_t subscribers) {
  Setup setup;
  setup.variant = variant;
  setup.path = flags.path_options();
  setup.path.sources = 1;
  setup.load.kind = flags.round_rate == 0 ? Load::Kind::rounds : Load::Kind::paced;
  setup.load.rate = flags.round_rate;
  setup.load.size = size;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = subscribers;
  setup.round_gap = flags.round_gap;
  setup.receiver.rounds =
      flags.round_rate == 0 ? ReceiverOptions::Rounds::announce : ReceiverOptions::Rounds::summary;
  const auto name = "fanout/" + variant + "/latency/size:" + std::to_string(size) +
                    "/subs:" + std::to_string(subscribers);
  return {name, [flags, setup](benchmark::State& state) {
            run_case(state, flags, [&setup](benchmark::State&) {
              Bed bed(setup);
              return setup.load.kind == Load::Kind::rounds ? bed.measure_rounds() : bed.measure();
            });
          }};
}

}  // namespace

std::vector<Case> fanout_cases(const Flags& flags) {
  std::vector<Case> cases;
  for (const std::size_t subscribers : {10U, 100U}) {
    for (const char* variant : k_variants) {
      cases.push_back(flood_case(flags, variant, subscribers));
    }
  }
  for (const std::size_t size : {44U, 236U, 40'036U}) {
    for (const std::size_t subscribers : {10U, 20U, 50U, 100U, 200U}) {
      for (const char* variant : k_variants) {
        cases.push_back(latency_case(flags, variant, size, subscribers));
      }
    }
  }
  return cases;
}

}  // namespace sluice::bench
