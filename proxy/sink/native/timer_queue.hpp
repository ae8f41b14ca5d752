// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"

#include <set>
#include <utility>

namespace sluice::sink {

/// One time per owner, the earliest first. Used by one thread.
template <typename Owner>
class TimerQueue {
 public:
  /// `due` is the owner's own record of its time; k_never takes it out.
  void set(Owner& owner, core::Nanoseconds& due, core::Nanoseconds when) {
    if (due == when) return;
    if (due != core::k_never) m_queue.erase({due, &owner});
    due = when;
    if (when != core::k_never) m_queue.insert({when, &owner});
  }
  [[nodiscard]] core::Nanoseconds next() const noexcept {
    return m_queue.empty() ? core::k_never : m_queue.begin()->first;
  }
  /// The owner whose time is next; the queue must not be empty.
  [[nodiscard]] Owner& front() const noexcept { return *m_queue.begin()->second; }

 private:
  std::set<std::pair<core::Nanoseconds, Owner*>> m_queue;
};

}  // namespace sluice::sink
