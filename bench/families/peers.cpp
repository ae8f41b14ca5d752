// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

#include <algorithm>

namespace sluice::bench {

namespace {

constexpr const char* k_variants[] = {"stock", "zmq", "native"};
constexpr auto k_command_gap = std::chrono::milliseconds(10);

/// What a connected subscriber costs in memory that takes no data, with so many topics.
Case memory_case(const Flags& flags, const std::string& variant, std::size_t peers,
                 std::size_t topics) {
  Setup setup;
  setup.variant = variant;
  setup.path = flags.path_options();
  setup.path.sources = 1;
  setup.load.kind = Load::Kind::paced;
  setup.load.rate = 100;
  setup.load.duration = std::min(flags.duration(), std::chrono::nanoseconds(500'000'000));
  setup.receiver.subscribers = 1;
  setup.receiver.idle = peers;
  setup.receiver.idle_topics = topics;
  const auto name = "peers/" + variant + "/memory/topics:" + std::to_string(topics) +
                    "/peers:" + std::to_string(peers);
  return {name, [flags, setup](benchmark::State& state) {
            run_case(state, flags, [&setup](benchmark::State& inner) {
              Bed bed(setup);
              const auto count = static_cast<double>(setup.receiver.idle);
              const auto memory = bed.subscribers_memory();
              inner.counters["heap_bytes_per_peer"] = static_cast<double>(memory.heap) / count;
              inner.counters["resident_bytes_per_peer"] =
                  static_cast<double>(memory.resident) / count;
              return bed.measure();
            });
          }};
}

/// A slow feed to very many: loss, when the last listener has it, and what a command waits.
Case crowd_case(const Flags& flags, const std::string& variant, std::size_t peers) {
  Setup setup;
  setup.variant = variant;
  setup.path = flags.path_options();
  setup.path.sources = 1;
  setup.load.kind = Load::Kind::paced;
  setup.load.rate = 100;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = peers;
  setup.receiver.rounds = ReceiverOptions::Rounds::summary;
  const auto name = "peers/" + variant + "/crowd/rate:100/size:100/peers:" + std::to_string(peers);
  return {name, [flags, setup](benchmark::State& state) {
            run_commanded_load(state, flags, setup, k_command_gap);
          }};
}

}  // namespace

std::vector<Case> peers_cases(const Flags& flags) {
  std::vector<Case> cases;
  for (const std::size_t topics : {0U, 1U}) {
    for (const char* variant : k_variants) {
      cases.push_back(memory_case(flags, variant, 1000, topics));
    }
  }
  for (const char* variant : k_variants) cases.push_back(crowd_case(flags, variant, 5000));
  return cases;
}

}  // namespace sluice::bench
