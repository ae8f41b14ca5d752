// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace sluice::bench {

/// The word that makes `sluice-bench` a proxy and nothing else: libzmq's zmq_proxy_steerable, tcp
/// in and tcp out. After it come the endpoint of the XSUB, that of the XPUB, the receive mark, the
/// send mark, and whether the XPUB waits for a full subscriber (0 or 1).
inline constexpr const char* k_stock_word = "--stock-process";

/// Ends by a signal. Returns the exit code.
int run_stock(const std::vector<std::string>& words);

}  // namespace sluice::bench
