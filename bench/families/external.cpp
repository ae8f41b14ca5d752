// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

#include <stdexcept>

namespace sluice::bench {

namespace {

constexpr std::size_t k_sources = 4;
constexpr std::size_t k_size = 100;
constexpr std::uint64_t k_rate = 2'500;  ///< messages a second of one source

Case make_case(const Flags& flags, const std::string& load, std::uint64_t rate,
               std::size_t subscribers) {
  Setup setup;
  setup.variant = "external";
  setup.path = flags.path_options();
  setup.path.sources = k_sources;
  setup.load.kind = rate == 0 ? Load::Kind::flood : Load::Kind::paced;
  setup.load.size = k_size;
  setup.load.rate = rate;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = subscribers;
  return {"external/given/" + load + "/subs:" + std::to_string(subscribers),
          [flags, setup](benchmark::State& state) { run_load(state, flags, setup); }};
}

}  // namespace

std::vector<Case> external_cases(const Flags& flags) {
  if (flags.front.empty() && flags.back.empty()) return {};
  if (flags.front.empty() || flags.back.empty() || flags.process <= 0) {
    throw std::invalid_argument("--front, --back and --process belong together");
  }
  return {make_case(flags, "flood/sources:4/size:100", 0, 1),
          make_case(flags, "flood/sources:4/size:100", 0, 10),
          make_case(flags, "even/sources:4/rate:2500", k_rate, 1)};
}

}  // namespace sluice::bench
