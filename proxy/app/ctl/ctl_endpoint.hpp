// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/loaded.hpp"

#include <optional>
#include <stdexcept>
#include <string>

namespace sluice::app {

/// Where the sidecar's control socket is, and of which type.
struct ControlTarget {
  std::string endpoint;
  config::ControlType type = config::ControlType::rep;
  CurveOptions curve{};  ///< ours as a client
};

/// There is no control endpoint to talk to, or nobody answers there.
class Unreachable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr const char* k_default_config = "/etc/sluice/sluice.ini";

/// -e, else SLUICE_CONTROL (`environment`), else [control] of -c FILE, else that of `fallback`.
/// Throws Unreachable saying where it looked.
[[nodiscard]] ControlTarget find_control(const std::optional<std::string>& endpoint,
                                         const char* environment,
                                         const std::optional<std::string>& file,
                                         const std::string& fallback = k_default_config);

/// Gives the target CURVE from key files: our secret one, and the sidecar's public one, which the
/// [control] of a file that could be read has told already. Throws Unreachable.
void use_curve(ControlTarget& target, const std::optional<std::string>& secret_file,
               const std::optional<std::string>& server_key_file);

/// What a bound endpoint is connected to: "tcp://*:5" as "tcp://127.0.0.1:5".
[[nodiscard]] std::string connectable(const std::string& bound);

}  // namespace sluice::app
