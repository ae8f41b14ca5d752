// SPDX-License-Identifier: Apache-2.0
#include "config/show.hpp"

namespace sluice::config {
namespace {

constexpr std::size_t k_comment_column = 40;

void line(std::string& out, std::string text, const std::string& origin) {
  text.resize(std::max(text.size() + 2, k_comment_column), ' ');
  out += text + "# " + origin + "\n";
}

std::vector<std::string> texts_of(const Value& value) {
  if (value.setting->secret && !value.items.empty()) return {"(secret)"};
  return value.texts();
}

}  // namespace

std::vector<Row> rows(const LoadedConfig& config) {
  std::vector<Row> rows;
  for (const Section& section : config.sections) {
    for (const Value& value : section.values) {
      rows.push_back({section.path() + "." + std::string(value.setting->key), texts_of(value),
                      value.place().text(), std::string(to_string(value.setting->change))});
    }
  }
  return rows;
}

std::string show(const LoadedConfig& config) {
  std::string out;
  for (const Section& section : config.sections) {
    if (!out.empty()) out += '\n';
    line(out, section.title(), section.place.text());
    for (const Value& value : section.values) {
      const std::string key(value.setting->key);
      if (value.items.empty()) {
        out += "# " + key + " is not set\n";
        continue;
      }
      const auto texts = texts_of(value);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const Place& place = value.items[i < value.items.size() ? i : 0].place;
        // What is redacted must not be loaded as a value.
        const std::string hash = value.setting->secret ? "# " : "";
        line(out, hash + key + " = " + texts[i], place.text());
      }
    }
  }
  return out;
}

}  // namespace sluice::config
