// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/command/arguments.hpp"
#include "config/loaded.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sluice::app::tune {

/// What the settings are measured with.
struct Workload {
  std::uint64_t rate = 10'000;  ///< messages/s of all publishers
  std::size_t size = 100;       ///< bytes of a message
  unsigned publishers = 4;
  unsigned subscribers = 1;
  std::uint64_t burst = 1;  ///< messages of a publisher that come at the same moment
  bool tcp = false;         ///< the sink's transport; else ipc
  /// Where each figure is from and what had to be assumed, for people.
  std::vector<std::string> notes;
};

/// Counters of a running proxy between two looks.
struct Observed {
  double messages_per_s = 0;
  double bytes_per_message = 0;
  std::uint64_t subscribers = 0;
};
/// Of one route of two answers to STATUS; nothing where the route is not in both or nothing passed.
[[nodiscard]] std::optional<Observed> observe(const std::string& before, const std::string& after,
                                              const std::string& route);

/// What the command line says; nothing where it does not.
struct Wanted {
  std::optional<std::uint64_t> rate;
  std::optional<std::size_t> size;
  std::optional<unsigned> publishers;
  std::optional<unsigned> subscribers;
  std::optional<std::uint64_t> burst;
};
/// Throws UsageError.
[[nodiscard]] Wanted wanted_workload(const Arguments& arguments);

/// Flags win over what a running proxy shows, that over the generators of the file, that over
/// defaults. Pure.
[[nodiscard]] Workload make_workload(const Wanted& wanted, const std::optional<Observed>& observed,
                                     const config::LoadedConfig& config, const std::string& route);

}  // namespace sluice::app::tune
