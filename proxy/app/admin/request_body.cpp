// SPDX-License-Identifier: Apache-2.0
#include "app/admin/request_body.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>

namespace sluice::app {
namespace {

using Json = nlohmann::json;
using Words = std::initializer_list<std::string_view>;

/// The members of an object that has no others; nothing, with `why`, for anything else.
std::optional<Json> object_of(std::string_view body, Words known, std::string& why) {
  if (body.empty()) return Json::object();
  Json json = Json::parse(body, nullptr, false);
  if (!json.is_object()) {
    why = "the body has to be a JSON object";
    return std::nullopt;
  }
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    why = "unknown member " + key;
    return std::nullopt;
  }
  return json;
}

bool is_word(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.is_number() ? value.dump() : std::string{};
}

}  // namespace

CommandResult route_command(std::string_view verb, std::string_view body) {
  std::string why;
  const auto json = object_of(body, {"route"}, why);
  if (!json) return BadBody{why};
  if (!json->contains("route")) return std::string(verb);
  const std::string route = text_of((*json)["route"]);
  if (!is_word(route)) return BadBody{"route has to be the name of a route"};
  return std::string(verb) + ' ' + route;
}

CommandResult set_command(std::string_view body) {
  std::string why;
  const auto json = object_of(body, {"key", "value"}, why);
  if (!json) return BadBody{why};
  if (!json->contains("key") || !json->contains("value"))
    return BadBody{"key and value are needed"};
  const std::string key = text_of((*json)["key"]);
  const std::string value = text_of((*json)["value"]);
  if (!is_word(key)) return BadBody{"key has to be the path of a setting"};
  if (value.empty()) return BadBody{"value has to be a text, a number or a boolean"};
  return "SET " + key + ' ' + value;
}

CommandResult reload_command(std::string_view body) {
  std::string why;
  if (!object_of(body, {}, why)) return BadBody{why};
  return std::string("RELOAD");
}

std::string answer_json(bool ok, std::string_view text) {
  const Json json = ok ? Json{{"ok", true}, {"text", text}} : Json{{"ok", false}, {"error", text}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace sluice::app
