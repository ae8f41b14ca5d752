// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "path.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace sluice::bench {

/// How an intermediary of its own process is started, and where it listens.
struct Program {
  std::vector<std::string> command;  ///< the first word is a file
  std::string front;                 ///< publishers connect here
  std::string back;                  ///< and subscribers here
  Wire wire = Wire::zmtp;
};

/// By name: "sidecar", "sidecar_zmq", "stock", "zproxy", "nng", "nats", "mosquitto". What the
/// program reads is written to `folder`. Throws Unavailable for a program that is not there.
[[nodiscard]] Program make_program(const std::string& variant, const PathOptions& options,
                                   const std::filesystem::path& folder);

/// The configuration file of the sidecar.
[[nodiscard]] std::string sidecar_settings(const Program& program, const PathOptions& options,
                                           const std::string& engine);

/// The file to run as `name`: the first of the folders given that has it, then those of PATH and
/// the system's. Empty: nowhere.
[[nodiscard]] std::string find_program(const std::string& name,
                                       const std::vector<std::filesystem::path>& folders);

}  // namespace sluice::bench
