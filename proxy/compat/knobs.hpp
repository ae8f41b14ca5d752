// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/tuning.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sluice::compat {

/// The live knobs of a C call as text, in the units of the configuration file. Pure functions.

/// Sets one of `inbound_poll_rate`, `max_command_delay` and `coalesce_delay`; nothing when it is
/// done, else what is wrong. `tuning` changes only when the value is good.
[[nodiscard]] std::optional<std::string> set_knob(Tuning& tuning, std::string_view key,
                                                  std::string_view value);
/// Nothing for an unknown key.
[[nodiscard]] std::optional<std::string> get_knob(const Tuning& tuning, std::string_view key);
/// "64", "4k", "4KiB": bytes. Nothing for anything else.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);

}  // namespace sluice::compat
