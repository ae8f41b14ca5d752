// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

namespace sluice::bench {

namespace {

/// A flood to one subscriber while another has topics that nobody publishes.
Case topics_case(const Flags& flags, const std::string& variant, std::size_t topics) {
  Setup setup;
  setup.variant = variant;
  setup.path = flags.path_options();
  setup.path.sources = 4;
  setup.load.kind = Load::Kind::flood;
  setup.load.size = 100;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = 1;
  setup.receiver.idle = 1;
  setup.receiver.idle_topics = topics;
  return {"topics/" + variant + "/sources:4/size:100/topics:" + std::to_string(topics),
          [flags, setup](benchmark::State& state) { run_load(state, flags, setup); }};
}

}  // namespace

std::vector<Case> topics_cases(const Flags& flags) {
  std::vector<Case> cases;
  for (const char* variant : {"stock", "zmq", "native", "direct"}) {
    for (const std::size_t topics : {10U, 100'000U}) {
      cases.push_back(topics_case(flags, variant, topics));
    }
  }
  return cases;
}

}  // namespace sluice::bench
