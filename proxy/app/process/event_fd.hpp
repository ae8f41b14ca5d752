// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"

namespace sluice::app {

/// A flag that can be waited for with poll(2). Thread-safe.
class EventFd {
 public:
  /// Throws std::system_error.
  EventFd();
  [[nodiscard]] int fd() const noexcept { return m_fd.get(); }
  void raise() noexcept;
  /// True when it was raised; it is not any more.
  bool take() noexcept;

 private:
  core::Fd m_fd;
};

}  // namespace sluice::app
