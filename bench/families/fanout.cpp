// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

namespace sluice::bench {

namespace {

constexpr const char* k_variants[] = {"stock", "zmq", "native", "direct"};
// Without ZeroMQ: a loop over UNIX sockets, and the kernel's multicast.
constexpr const char* k_latency_variants[] = {"stock",  "zmq",  "native",
                                              "direct", "loop", "multicast"};
constexpr std::uint64_t k_paced_rate = 100;

Case flood_case(const Flags& flags, const std::string& variant, std::size_t size,
                std::size_t subscribers) {
  Setup setup;
  setup.variant = variant;
  setup.path = flags.path_options();
  setup.path.sources = 4;
  setup.load.kind = Load::Kind::flood;
  setup.load.size = size;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = subscribers;
  return {"fanout/" + variant + "/flood/sources:4/size:" + std::to_string(size) +
              "/subs:" + std::to_string(subscribers),
          [flags, setup](benchmark::State& state) { run_load(state, flags, setup); }};
}

/// One message to all: when the first and when the last of them has it. `rate`: messages a second
/// whether the path keeps up or not; 0: each when all have had the one before.
Case latency_case(const Flags& flags, const std::string& variant, std::uint64_t rate,
                  std::size_t size, std::size_t subscribers) {
  using Rounds = ReceiverOptions::Rounds;
  Setup setup;
  setup.variant = variant;
  setup.path = flags.path_options();
  setup.path.sources = 1;
  setup.load.kind = rate == 0 ? Load::Kind::rounds : Load::Kind::paced;
  setup.load.rate = rate;
  setup.load.size = size;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = subscribers;
  setup.receiver.rounds = rate == 0 ? Rounds::announce : Rounds::summary;
  setup.round_gap = flags.round_gap;
  const auto name = "fanout/" + variant +
                    (rate == 0 ? "/latency" : "/paced/rate:" + std::to_string(rate)) +
                    "/size:" + std::to_string(size) + "/subs:" + std::to_string(subscribers);
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
      cases.push_back(flood_case(flags, variant, 100, subscribers));
    }
  }
  for (const char* variant : k_variants) cases.push_back(flood_case(flags, variant, 1000, 10));
  for (const std::size_t size : {44U, 236U, 40'036U}) {
    for (const std::size_t subscribers : {10U, 20U, 50U, 100U, 200U}) {
      for (const char* variant : k_latency_variants) {
        cases.push_back(latency_case(flags, variant, 0, size, subscribers));
      }
    }
  }
  for (const std::size_t size : {44U, 40'036U}) {
    for (const std::size_t subscribers : {100U, 200U}) {
      for (const char* variant : k_variants) {
        cases.push_back(latency_case(flags, variant, k_paced_rate, size, subscribers));
      }
    }
  }
  return cases;
}

}  // namespace sluice::bench
