// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/zmq/message.hpp"

#include <cstddef>
#include <cstdint>

namespace sluice::core {

/// What happens to what comes up from the sinks. The Route merges subscriptions; the C call passes
/// frames on. On the loop's thread.
class Upstream {
 public:
  /// What went on to the sources: counted as the frontend's "sent".
  struct Sent {
    bool done = true;  ///< false: the sources have no room, offer the same message again
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    int error = 0;  ///< an errno that ends the loop
  };

  virtual Sent take(std::size_t sink, Message& message) noexcept = 0;
  /// After a `take` that was not done: whether another try may succeed.
  [[nodiscard]] virtual bool room() noexcept { return true; }

 protected:
  ~Upstream() = default;
};

}  // namespace sluice::core
