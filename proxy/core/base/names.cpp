// SPDX-License-Identifier: Apache-2.0
#include <sluice/statistics.hpp>
#include <sluice/version.hpp>

namespace sluice {

const char* to_string(RouteState state) noexcept {
  switch (state) {
    case RouteState::starting:
      return "starting";
    case RouteState::running:
      return "running";
    case RouteState::paused:
      return "paused";
    case RouteState::draining:
      return "draining";
    case RouteState::stopped:
      return "stopped";
  }
  return "stopped";
}

const char* to_string(OnFull policy) noexcept {
  switch (policy) {
    case OnFull::drop:
      return "drop";
    case OnFull::block:
      return "block";
    case OnFull::disconnect:
      return "disconnect";
  }
  return "drop";
}

const char* to_string(Engine engine) noexcept {
  switch (engine) {
    case Engine::automatic:
      return "auto";
    case Engine::zmq:
      return "zmq";
    case Engine::native:
      return "native";
  }
  return "auto";
}

const char* to_string(TuningMode mode) noexcept {
  return mode == TuningMode::adaptive ? "adaptive" : "fixed";
}

const char* version() noexcept {
  return SLUICE_VERSION;
}

}  // namespace sluice
