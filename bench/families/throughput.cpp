// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

namespace sluice::bench {

namespace {

Case flood_case(const Flags& flags, const std::string& variant, std::size_t sources,
                std::size_t size, const std::string& transport) {
  Setup setup;
  setup.variant = variant;
  setup.path = flags.path_options();
  setup.path.sources = sources;
  setup.path.transport = transport;
  setup.load.kind = Load::Kind::flood;
  setup.load.size = size;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = 1;
  std::string name = "throughput/" + variant + "/sources:" + std::to_string(sources) +
                     "/size:" + std::to_string(size) + "/subs:1";
  if (transport != "tcp") name += "/" + transport;
  return {name, [flags, setup](benchmark::State& state) { run_load(state, flags, setup); }};
}

}  // namespace

std::vector<Case> throughput_cases(const Flags& flags) {
  std::vector<Case> cases;
  for (const char* variant : {"stock", "zmq", "native", "direct", "null"}) {
    cases.push_back(flood_case(flags, variant, 4, 100, "tcp"));
  }
  for (const char* variant : {"stock", "zmq", "native", "direct"}) {
    cases.push_back(flood_case(flags, variant, 4, 100, "ipc"));
  }
  for (const char* variant : {"stock", "zmq", "native", "direct", "null"}) {
    cases.push_back(flood_case(flags, variant, 4, 1000, "tcp"));
  }
  return cases;
}

}  // namespace sluice::bench
