// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sluice::app {

/// The first line of a token file, without white space at its ends. Throws std::runtime_error that
/// names the file where it cannot be read or holds fewer than 16 characters.
[[nodiscard]] std::string read_token(const std::string& path);

/// Whether an Authorization header brings the token ("Bearer ..."). The time it takes does not
/// depend on how much of it is right.
[[nodiscard]] bool brings_token(std::string_view authorization, std::string_view token) noexcept;

}  // namespace sluice::app
