// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/options.hpp>

#include <string>
#include <string_view>

namespace sluice::sink {

/// What a route lends to its sinks; outlives them.
struct Environment {
  void* context = nullptr;  ///< libzmq's
  std::string route;
  std::size_t max_topic = 4096;
  std::size_t max_subscriptions = 1'000'000;
  EventHandler on_event;

  void report(Severity severity, std::string_view text) const {
    if (on_event) on_event(Event{severity, route, text});
  }
};

}  // namespace sluice::sink
