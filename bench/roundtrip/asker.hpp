// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace sluice::bench {

/// A client that sends a request and waits for its answer. Used by one thread.
class Asker {
 public:
  virtual ~Asker() = default;
  /// Throws std::runtime_error, also when no answer comes within 10 s.
  virtual void ask() = 0;
};

/// A plain socket. Waits up to 20 s for somebody to listen.
std::unique_ptr<Asker> make_raw_asker(const std::string& endpoint);
/// libzmq's REQ.
std::unique_ptr<Asker> make_zmq_asker(void* context, const std::string& endpoint);

}  // namespace sluice::bench
