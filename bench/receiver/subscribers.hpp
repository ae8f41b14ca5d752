// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "receiver/options.hpp"
#include "receiver/tally.hpp"

#include <memory>

namespace sluice::bench {

/// All subscribers of a receiver process on one thread. Throws std::runtime_error when one of them
/// cannot go on.
class Subscribers {
 public:
  virtual ~Subscribers() = default;

  /// Waits for messages or for `control_fd`, at most `timeout_ms` (-1: for ever); hands what has
  /// come to the tally. True when `control_fd` is readable.
  virtual bool wait(Tally& tally, int control_fd, int timeout_ms) = 0;
  /// Every connection is up and every subscription has been sent.
  [[nodiscard]] virtual bool connected() const = 0;
};

/// Every kind but "zmq".
std::unique_ptr<Subscribers> make_raw_subscribers(const ReceiverOptions& options);
std::unique_ptr<Subscribers> make_zmq_subscribers(const ReceiverOptions& options);

/// What subscriber `index` subscribes to.
[[nodiscard]] std::vector<std::string> topics_of(const ReceiverOptions& options, std::size_t index);

}  // namespace sluice::bench
