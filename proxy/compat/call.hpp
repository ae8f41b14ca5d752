// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compat/deferred_signals.hpp"
#include "compat/passthrough.hpp"
#include "compat/socket_pair.hpp"
#include "compat/steering.hpp"
#include "core/loop/loop.hpp"

#include <sluice/tuning.hpp>

#include <cstddef>
#include <optional>

namespace sluice::compat {

struct CallOptions {
  Tuning tuning;
  std::size_t max_topic = 4096;
  bool continue_on_signal = false;
};

/// One run of sluice_proxy_tuned(): the loop around four sockets that the caller owns. Made, run
/// and destroyed on the caller's thread. The sockets must be open; capture and control may be null.
class Call {
 public:
  /// Throws std::bad_alloc.
  Call(void* frontend, void* backend, void* capture, void* control, const CallOptions& options);

  /// 0 or an errno.
  int run();

 private:
  DeferredSignals m_signals;
  SocketPair m_pair;
  core::LoopCounters m_counters;
  Passthrough m_upstream;
  core::Loop m_loop;
  core::Frontend m_frontend;
  sink::SocketSink m_backend;
  std::optional<core::Tap> m_tap;
  std::optional<Steering> m_steering;
};

/// Checks the sockets, then makes and runs a Call. 0 or an errno. The first two are not null.
[[nodiscard]] int run_call(void* frontend, void* backend, void* capture, void* control,
                           const CallOptions& options) noexcept;

}  // namespace sluice::compat
