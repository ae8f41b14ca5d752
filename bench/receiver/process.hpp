// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace sluice::bench {

/// The word that makes `sluice-bench` a receiver process, and the descriptor (a SEQPACKET socket)
/// on which it talks with the measuring process: it says "connected", "ready",
/// "round" and "report ..."; it is
/// told "finish TOTAL..." with what each source has sent. Either says "error TEXT" or nothing more
/// when it fails.
inline constexpr const char* k_receiver_word = "--receiver-process";
inline constexpr int k_receiver_control_fd = 3;

/// Returns the exit code.
int run_receiver(const std::vector<std::string>& words);

}  // namespace sluice::bench
