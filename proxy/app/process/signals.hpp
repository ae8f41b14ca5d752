// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"

#include <optional>

namespace sluice::app {

/// TERM, INT, HUP, USR1 and USR2 as a descriptor; SIGPIPE ignored. Made by main before any other
/// thread, so that all threads inherit the mask. Works as PID 1: a signal that is read from a
/// descriptor needs no default action.
class Signals {
 public:
  /// Throws std::system_error.
  Signals();

  [[nodiscard]] int fd() const noexcept { return m_fd.get(); }
  /// The next signal's number, if one is waiting.
  [[nodiscard]] std::optional<int> next() noexcept;

 private:
  core::Fd m_fd;
};

}  // namespace sluice::app
