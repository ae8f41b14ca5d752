// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace sluice::test {

/// A TCP port on 127.0.0.1 that nobody uses, outside the ephemeral range (so that no outgoing
/// connection takes it meanwhile) and not handed out to another test at the same time: held by a
/// lock until the process ends. Prefer "tcp://127.0.0.1:*" where the test can ask for the port.
[[nodiscard]] std::uint16_t free_port();

/// "tcp://127.0.0.1:<free_port()>"
[[nodiscard]] std::string free_tcp();

}  // namespace sluice::test
