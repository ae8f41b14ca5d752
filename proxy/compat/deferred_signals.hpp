// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

namespace sluice::compat {

/// While it lives, the calling thread handles signals only where `mask()` is installed: during the
/// loop's waits. So none is missed between two of them, as it is by a loop that only looks at
/// EINTR. Not held back: what the running code itself can cause (SIGSEGV...) and the profiling
/// timers. Create and destroy on one thread.
class DeferredSignals {
 public:
  explicit DeferredSignals(bool active) noexcept;
  ~DeferredSignals();
  DeferredSignals(const DeferredSignals&) = delete;
  DeferredSignals& operator=(const DeferredSignals&) = delete;

  /// The mask that the thread had before; null when not active.
  [[nodiscard]] const sigset_t* mask() const noexcept { return m_active ? &m_before : nullptr; }

 private:
  bool m_active;
  sigset_t m_before{};
};

}  // namespace sluice::compat
