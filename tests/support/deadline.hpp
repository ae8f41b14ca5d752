// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>

namespace sluice::test {

/// How long a test waits for something that normally takes milliseconds; generous, because it is
/// only ever reached by a failure. Sanitizer builds get five times as much.
[[nodiscard]] std::chrono::milliseconds patience() noexcept;

/// True as soon as `condition` holds, false once `timeout` has passed. For conditions that can only
/// be asked, not waited for (a counter, a state): asks, then gives the CPU away for 1 ms at most.
/// Where there is an event to wait for (a descriptor, a promise, a message) wait for that instead.
[[nodiscard]] bool eventually(const std::function<bool()>& condition,
                              std::chrono::milliseconds timeout = patience());

/// True as soon as `fd` is readable, false once `timeout` has passed.
[[nodiscard]] bool readable(int fd, std::chrono::milliseconds timeout = patience());

/// Time left of a whole test's budget.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds budget = patience())
      : m_end(std::chrono::steady_clock::now() + budget) {}
  [[nodiscard]] std::chrono::milliseconds left() const;
  [[nodiscard]] bool passed() const { return left().count() == 0; }

 private:
  std::chrono::steady_clock::time_point m_end;
};

}  // namespace sluice::test
