// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace sluice::bench {

/// The word that makes `sluice-bench` a server that answers each request with the same bytes. After
/// it come "raw" (a plain socket that listens), "bind" or "connect" (libzmq's REP), and an
/// endpoint.
inline constexpr const char* k_echo_word = "--echo-process";

/// Every request and answer has this size.
inline constexpr std::size_t k_request_size = 100;

/// Ends by a signal. Returns the exit code.
int run_echo(const std::vector<std::string>& words);

}  // namespace sluice::bench
