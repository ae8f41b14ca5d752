// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/admin/http.hpp"

#include <string_view>

namespace sluice::app {

/// page.html, embedded at build; @NONCE@ stands where a nonce belongs.
[[nodiscard]] std::string_view page_text() noexcept;

/// The page with a nonce of its own and the policy that lets nothing else run.
[[nodiscard]] HttpResponse page_response();

}  // namespace sluice::app
