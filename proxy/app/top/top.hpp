// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace sluice::app::top {

class NoRoute : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Options {
  std::string route;  ///< empty = all
  std::chrono::milliseconds interval{1'000};
  std::optional<std::uint64_t> count;  ///< of intervals; nothing = until told to stop
  bool json = false;
};

/// Watches until it has had enough, a signal or `q`. On a terminal a screen that is drawn over and
/// over, else lines. `ask` gives an answer to STATUS; what it throws passes through, as does
/// what a text that is no STATUS makes. Throws NoRoute.
void watch(const Options& options, const std::function<std::string()>& ask);

}  // namespace sluice::app::top
