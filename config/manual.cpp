// SPDX-License-Identifier: Apache-2.0
#include "config/manual.hpp"

#include "config/refused.hpp"
#include "config/table.hpp"
#include "config/text.hpp"

#include <string_view>

namespace sluice::config {

std::string type_text(const Setting& setting) {
  std::string text(to_string(setting.type));
  const std::string range = range_text(setting);
  if (!range.empty() && setting.type != Type::endpoint && setting.type != Type::route) {
    text += setting.type == Type::choice || setting.type == Type::boolean ? ": " : ", ";
    text += range;
  }
  if (setting.repeatable) text += "; may be repeated";
  return text;
}

namespace {

void row(std::string& out, const Setting& setting) {
  out += "| `" + std::string(setting.key) + "` | " + type_text(setting) + " | ";
  if (!setting.standard.empty()) out += "`" + std::string(setting.standard) + "`";
  out += " | " + std::string(to_string(setting.change)) + " | " + std::string(setting.help);
  if (setting.native_only) out += " (native engine)";
  out += " |\n";
}

}  // namespace

std::string manual() {
  std::string out;
  for (const Kind kind : kinds()) {
    out += "\n### [" + std::string(to_string(kind)) + (is_single(kind) ? "" : " NAME") + "]\n\n";
    out += "| key | value | default | change | what |\n| --- | --- | --- | --- | --- |\n";
    for (const Setting& setting : settings(kind)) row(out, setting);
  }
  out += "\n### Refused by name\n\n| keys | what Sluice does not do | why |\n| --- | --- | --- |\n";
  for (const Refused& entry : refused()) {
    out += "|";
    for (const std::string_view word : split(entry.words, ' ')) {
      out += " `" + std::string(word) + "`";
    }
    out += " | " + std::string(entry.what) + " | " + std::string(entry.why) + " |\n";
  }
  return out + "\n";
}

std::string with_manual(const std::string& readme) {
  const std::string_view begin(k_manual_begin);
  const std::size_t first = readme.find(begin);
  if (first == std::string::npos) return readme;
  const std::size_t last = readme.find(k_manual_end, first);
  if (last == std::string::npos) return readme;
  return readme.substr(0, first + begin.size()) + manual() + readme.substr(last);
}

}  // namespace sluice::config
