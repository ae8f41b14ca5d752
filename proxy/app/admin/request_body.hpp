// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sluice::app {

/// A text that is no body for its endpoint, or the control command it stands for.
struct BadBody {
  std::string why;
};
using CommandResult = std::variant<std::string, BadBody>;

/// "PAUSE market" for `{"route": "market"}`; "PAUSE" for {} and for an empty body.
[[nodiscard]] CommandResult route_command(std::string_view verb, std::string_view body);
/// "SET key value" for `{"key": "...", "value": "..."}`; the value may also be a number or a
/// boolean.
[[nodiscard]] CommandResult set_command(std::string_view body);
/// "RELOAD" for {} and for an empty body.
[[nodiscard]] CommandResult reload_command(std::string_view body);

/// {"ok":true,"text":"..."} or {"ok":false,"error":"..."} with a line end.
[[nodiscard]] std::string answer_json(bool ok, std::string_view text);

}  // namespace sluice::app
