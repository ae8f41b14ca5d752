// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::config {

/// Where a value comes from, weakest first: flags > environment > file > defaults. `command` is a
/// SET at run time, in force until the next reload.
enum class Origin : std::uint8_t { standard, file, environment, flag, command };

/// A place that a person can go to. A plain value.
struct Place {
  Origin origin = Origin::standard;
  std::string name;   ///< the file, the variable's name, or the flag as given
  unsigned line = 0;  ///< files only, from 1

  /// "default", "sluice.ini:12", "env SLUICE_LINGER", "flag --set route.linger=1s", "SET".
  [[nodiscard]] std::string text() const;
  bool operator==(const Place&) const = default;
};

/// Why a configuration cannot be used.
struct Error {
  Place place;
  std::string text;

  /// "sluice.ini:12: text"
  [[nodiscard]] std::string to_string() const;
};

using Errors = std::vector<Error>;
/// As an error, but the configuration is used.
using Warning = Error;

}  // namespace sluice::config
