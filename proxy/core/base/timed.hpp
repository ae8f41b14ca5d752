// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.hpp"

namespace sluice::core {

/// Something the loop calls when its time has come. On the loop's thread; outlives the loop's run.
class Timed {
 public:
  /// When `on_time` wants to be called; k_never if not, 0 for before the next sleep.
  [[nodiscard]] virtual Nanoseconds next_time() const noexcept = 0;
  virtual void on_time(Nanoseconds now) noexcept = 0;

 protected:
  ~Timed() = default;
};

}  // namespace sluice::core
