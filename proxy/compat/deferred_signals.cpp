// SPDX-License-Identifier: Apache-2.0
#include "compat/deferred_signals.hpp"

#include <initializer_list>
#include <pthread.h>

namespace sluice::compat {

DeferredSignals::DeferredSignals(bool active) noexcept : m_active(active) {
  if (!active) return;
  sigset_t held;
  sigfillset(&held);
  for (const int signal :
       {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF, SIGVTALRM}) {
    sigdelset(&held, signal);
  }
  m_active = pthread_sigmask(SIG_BLOCK, &held, &m_before) == 0;
}

DeferredSignals::~DeferredSignals() {
  if (m_active) pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

}  // namespace sluice::compat
