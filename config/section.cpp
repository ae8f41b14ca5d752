// SPDX-License-Identifier: Apache-2.0
#include "config/place.hpp"
#include "config/text.hpp"
#include "config/value.hpp"

namespace sluice::config {

std::string Place::text() const {
  switch (origin) {
    case Origin::standard:
      return "default";
    case Origin::file:
      return name + ":" + std::to_string(line);
    case Origin::environment:
      return "env " + name;
    case Origin::flag:
      return "flag --set " + printable(name);
    case Origin::command:
      return "SET";
  }
  return {};
}

std::string Error::to_string() const {
  if (place.origin == Origin::file && place.line == 0) return place.name + ": " + text;
  if (place.origin == Origin::standard) return text;
  return place.text() + ": " + text;
}

bool Value::is_default() const noexcept {
  return items.empty() || items.front().place.origin == Origin::standard;
}

Place Value::place() const {
  return items.empty() ? Place{} : items.front().place;
}

std::vector<std::string> Value::texts() const {
  std::vector<std::string> texts;
  for (const Item& item : items) {
    std::string text = format_value(*setting, item.value);
    if (setting->type == Type::list && !texts.empty()) {
      texts.front() += "," + text;
    } else {
      texts.push_back(std::move(text));
    }
  }
  return texts;
}

const Value& Section::value(std::string_view key) const {
  for (const Value& value : values) {
    if (value.setting->key == key) return value;
  }
  throw std::logic_error("no such key: " + std::string(key));
}

std::string Section::path() const {
  std::string path(to_string(kind));
  if (!is_single(kind)) path += "." + name;
  return path;
}

std::string Section::title() const {
  std::string title = "[" + std::string(to_string(kind));
  if (!is_single(kind)) title += " " + name;
  return title + "]";
}

std::int64_t Section::number(std::string_view key) const {
  const Value& found = value(key);
  return found.items.empty() ? 0 : std::get<std::int64_t>(found.items.front().value);
}

bool Section::flag(std::string_view key) const {
  return number(key) != 0;
}

std::string Section::text(std::string_view key) const {
  const Value& found = value(key);
  return found.items.empty() ? std::string{} : std::get<std::string>(found.items.front().value);
}

std::vector<std::string> Section::strings(std::string_view key) const {
  std::vector<std::string> texts;
  for (const Item& item : value(key).items) texts.push_back(std::get<std::string>(item.value));
  return texts;
}

}  // namespace sluice::config
