// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::config {

// Each parses one number with its unit, without looking at ranges beyond what 64 bits hold, and
// throws BadValue with what is wrong with the text. Fractions are taken where the result is whole.

/// "1000", "10k", "1M", "2G" (powers of 1000).
[[nodiscard]] std::int64_t parse_count(std::string_view text);
/// "500us", "1ms", "2s", "1.5h", "0"; nanoseconds. Other numbers need a unit.
[[nodiscard]] std::int64_t parse_duration(std::string_view text);
/// "64k", "8MiB", "100", "100B"; bytes. k, M, G and KiB, MiB, GiB are powers of 1024, kB, MB, GB of
/// 1000.
[[nodiscard]] std::int64_t parse_size(std::string_view text);
/// "0660" or "660", octal.
[[nodiscard]] std::int64_t parse_mode(std::string_view text);
/// yes/no, true/false, on/off, 1/0.
[[nodiscard]] std::int64_t parse_boolean(std::string_view text);

/// The shortest that reads back as the same.
[[nodiscard]] std::string format_duration(std::int64_t nanoseconds);
[[nodiscard]] std::string format_size(std::int64_t bytes);
[[nodiscard]] std::string format_mode(std::int64_t mode);

}  // namespace sluice::config
