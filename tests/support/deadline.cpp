// SPDX-License-Identifier: Apache-2.0
#include "support/deadline.hpp"

#include <algorithm>
#include <poll.h>

namespace sluice::test {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

milliseconds patience() noexcept {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return milliseconds{25'000};
#else
  return milliseconds{5'000};
#endif
}

bool eventually(const std::function<bool()>& condition, milliseconds timeout) {
  const Deadline deadline(timeout);
  while (!condition()) {
    if (deadline.passed()) return condition();
    ::poll(nullptr, 0, 1);
  }
  return true;
}

bool readable(int fd, milliseconds timeout) {
  const Deadline deadline(timeout);
  pollfd item{fd, POLLIN, 0};
  int result = 0;
  do {
    result = ::poll(&item, 1, static_cast<int>(deadline.left().count()));
  } while (result < 0 && !deadline.passed());
  return result > 0;
}

milliseconds Deadline::left() const {
  const auto left = std::chrono::ceil<milliseconds>(m_end - steady_clock::now());
  return std::max(left, milliseconds{0});
}

}  // namespace sluice::test
