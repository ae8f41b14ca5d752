// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

namespace sluice::bench {

namespace {

Case flood_case(const Flags& flags, const std::string& variant, std::size_t subscribers) {
  Setup setup;
  setup.variant = "process:" + variant;
  setup.path = flags.path_options();
  setup.path.sources = 4;
  setup.load.kind = Load::Kind::flood;
  setup.load.size = 100;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = subscribers;
  return {"process/" + variant + "/sources:4/size:100/subs:" + std::to_string(subscribers),
          [flags, setup](benchmark::State& state) { run_load(state, flags, setup); }};
}

}  // namespace

std::vector<Case> process_cases(const Flags& flags) {
  std::vector<Case> cases;
  for (const std::size_t subscribers : {1U, 10U}) {
    for (const char* variant :
         {"stock", "sidecar", "sidecar_zmq", "zproxy", "nng", "nats", "mosquitto"}) {
      cases.push_back(flood_case(flags, variant, subscribers));
    }
  }
  return cases;
}

}  // namespace sluice::bench
