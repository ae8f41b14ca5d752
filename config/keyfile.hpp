// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/loaded.hpp"
#include "config/value.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::config {

/// A key file that cannot be used; says the path and why, and nothing of what is in it.
class BadKeyFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A key is 40 characters of Z85 (RFC 32) on a line of its own; a name may follow after a space.
// Lines that begin with "# " and empty ones say nothing.

/// The only key of a file. A secret one must not be open to others, nor writable to the group.
[[nodiscard]] std::string read_secret_key(const std::string& path);
[[nodiscard]] std::string read_public_key(const std::string& path);
/// Any number of public keys, none included.
[[nodiscard]] std::vector<std::string> read_key_list(const std::string& path);

/// Reads the files that the sections name into their keys, for `curve_options`; errors name the
/// setting. What has to be known of the files to see whether they changed goes along.
void read_key_files(const std::vector<Section>& sections, LoadedConfig& config, Errors& errors);

}  // namespace sluice::config
