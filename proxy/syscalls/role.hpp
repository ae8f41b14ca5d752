// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "syscalls/kinds.hpp"

namespace sluice::syscalls {

/// While it lives, the calling thread's system calls count as the forwarding path's. Costs nothing
/// worth mention and has no effect without the interposer. Construct and destroy on one thread.
class ForwardingScope {
 public:
  ForwardingScope();
  ~ForwardingScope();
  ForwardingScope(const ForwardingScope&) = delete;
  ForwardingScope(ForwardingScope&&) = delete;
  ForwardingScope& operator=(const ForwardingScope&) = delete;
  ForwardingScope& operator=(ForwardingScope&&) = delete;

 private:
  Role m_before;
};

/// The same for the rest of the calling thread's life.
void mark_thread_forwarding();

}  // namespace sluice::syscalls
