// SPDX-License-Identifier: Apache-2.0
#include "config/value.hpp"

#include "config/text.hpp"
#include "config/units.hpp"

#include <algorithm>

namespace sluice::config {
namespace {

[[noreturn]] void refuse(const Setting& setting, std::string_view text, const std::string& why) {
  std::string what(setting.key);
  what += text.empty() ? " is empty" : " = " + printable(text);
  if (!why.empty()) what += ": " + why;
  const std::string range = range_text(setting);
  if (!range.empty()) what += "; allowed: " + range;
  throw BadValue(what);
}

bool is_number(Type type) noexcept {
  return type == Type::count || type == Type::duration || type == Type::size ||
         type == Type::mode || type == Type::boolean;
}

std::int64_t parse_by_type(Type type, std::string_view text) {
  switch (type) {
    case Type::duration:
      return parse_duration(text);
    case Type::size:
      return parse_size(text);
    case Type::mode:
      return parse_mode(text);
    case Type::boolean:
      return parse_boolean(text);
    default:
      return parse_count(text);
  }
}

Scalar parse_number(const Setting& setting, std::string_view text) {
  if (!setting.word.empty() && text == setting.word) return setting.word_value;
  std::int64_t value = 0;
  try {
    value = parse_by_type(setting.type, text);
  } catch (const BadValue& bad) {
    refuse(setting, text, bad.what());
  }
  if (setting.type == Type::boolean) return value;
  if (value < setting.min || value > setting.max) refuse(setting, text, "out of range");
  if (value % setting.step != 0) refuse(setting, text, "not whole milliseconds");
  return value;
}

Scalar parse_choice(const Setting& setting, std::string_view text) {
  const auto words = choices(setting);
  if (std::find(words.begin(), words.end(), text) == words.end()) {
    const std::string near = nearest(text, words);
    refuse(setting, text, near.empty() ? "" : "did you mean " + near + "?");
  }
  return std::string(text);
}

Scalar parse_text(const Setting& setting, std::string_view text) {
  const bool bytes = setting.type == Type::topic || setting.type == Type::list;
  std::string value;
  try {
    value = unquote(text, bytes);
  } catch (const BadValue& bad) {
    refuse(setting, text, bad.what());
  }
  if (!bytes && value.find('\0') != std::string::npos) refuse(setting, text, "holds a zero byte");
  const bool needed = setting.type == Type::endpoint || setting.type == Type::route;
  if (needed && value.empty()) refuse(setting, text, "");
  return value;
}

}  // namespace

std::vector<Scalar> parse_value(const Setting& setting, std::string_view text) {
  text = trim(text);
  if (is_number(setting.type)) return {parse_number(setting, text)};
  if (setting.type == Type::choice) return {parse_choice(setting, text)};
  if (setting.type != Type::list) return {parse_text(setting, text)};
  std::vector<Scalar> values;
  if (text.empty()) return values;
  for (const std::string_view part : split_quoted(text, ',')) {
    values.push_back(parse_text(setting, part));
  }
  return values;
}

std::string format_value(const Setting& setting, const Scalar& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (setting.type == Type::choice) return *text;
    return quote(*text, setting.type == Type::list ? "," : std::string_view{});
  }
  const std::int64_t number = std::get<std::int64_t>(value);
  if (!setting.word.empty() && number == setting.word_value && number < setting.min) {
    return std::string(setting.word);
  }
  switch (setting.type) {
    case Type::duration:
      return format_duration(number);
    case Type::size:
      return format_size(number);
    case Type::mode:
      return format_mode(number);
    case Type::boolean:
      return number != 0 ? "yes" : "no";
    default:
      return std::to_string(number);
  }
}

std::vector<std::string_view> choices(const Setting& setting) {
  if (setting.type == Type::boolean) return {"yes", "no"};
  if (setting.choices.empty()) return {};
  return split(setting.choices, ' ');
}

std::string range_text(const Setting& setting) {
  const auto words = choices(setting);
  if (!words.empty()) return join_or(words);
  if (!is_number(setting.type)) {
    if (setting.type == Type::endpoint) return "tcp://host:port or ipc://path";
    return setting.type == Type::route ? "a route's name" : "";
  }
  std::string text = format_value(setting, setting.min);
  if (setting.max == std::numeric_limits<std::int64_t>::max()) {
    text += " or more";
  } else {
    text += " to " + format_value(setting, setting.max);
  }
  if (!setting.word.empty()) text += " or " + std::string(setting.word);
  return text;
}

}  // namespace sluice::config
