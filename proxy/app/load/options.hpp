// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/command/arguments.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::app::load {

/// "tcp://host:1" is connected to; "@tcp://*:1" is bound.
struct Endpoint {
  std::string address;
  bool bind = false;
};

/// What `sluice load` is to do; a plain value.
struct Options {
  std::vector<Endpoint> publish;
  std::vector<Endpoint> subscribe;
  unsigned publishers = 1;
  unsigned subscribers = 1;
  std::uint64_t rate = 10'000;  ///< messages/s of all publishers together; 0 = flood
  std::uint64_t burst = 1;      ///< messages of a publisher that are due at the same moment
  std::size_t size = 100;       ///< bytes of the last frame, the topic included where it is alone
  std::vector<std::string> topics{"load"};     ///< taken in turn by each publisher
  std::vector<std::string> subscriptions{""};  ///< prefixes
  unsigned frames = 1;
  std::chrono::milliseconds duration{10'000};
  std::optional<std::uint64_t> count;  ///< messages of all publishers; for subscribers alone: each
  std::chrono::milliseconds wait{5'000};    ///< for the other side to appear
  std::chrono::milliseconds settle{2'000};  ///< silence after which what is missing is lost
  int hwm = 10'000;
  bool drop = false;          ///< a full publisher drops, as PUB does, instead of waiting
  std::string name = "load";  ///< tells the streams of several processes apart
};

inline constexpr unsigned k_most_publishers = 64;
inline constexpr unsigned k_most_subscribers = 500;

[[nodiscard]] std::vector<OptionSpec> option_specs();
/// Throws UsageError.
[[nodiscard]] Options parse_options(const Arguments& arguments);

}  // namespace sluice::app::load
