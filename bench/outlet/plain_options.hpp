// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace sluice::bench {

/// How a publisher without a protocol writes.
struct PlainOptions {
  bool fields = false;    ///< a message in three writes, as a writer without a buffer does it
  std::size_t batch = 0;  ///< writes as soon as so many bytes have come together; 0: each message
  bool nodelay = true;    ///< false: Nagle's algorithm
};

}  // namespace sluice::bench
