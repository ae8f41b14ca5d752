// SPDX-License-Identifier: Apache-2.0
#include "config/diff.hpp"

#include <algorithm>

namespace sluice::config {
namespace {

const Section* find(const LoadedConfig& config, const std::string& path) {
  for (const Section& section : config.sections) {
    if (section.path() == path) return &section;
  }
  return nullptr;
}

std::string text_of(const Value& value) {
  if (value.setting->secret) return "(secret)";
  std::string text;
  for (const std::string& one : value.texts()) text += (text.empty() ? "" : " ") + one;
  return text;
}

Effect effect_of(const Setting& setting, const Section& before, const Section& after) {
  if (setting.change == Change::restart) return Effect::restart;
  if (setting.change == Change::recreate) return Effect::recreate;
  if (setting.change == Change::reload) return Effect::live;
  if (setting.kind != Kind::sink || setting.key != "on_full") return Effect::live;
  // on_full: block is built into the sockets, and libzmq has no disconnect.
  const bool fixed = before.text("on_full") == "block" || after.text("on_full") == "block" ||
                     after.text("engine") == "zmq";
  return fixed ? Effect::recreate : Effect::live;
}

// Plug-ins are never unloaded, and what answers a reload stays to answer it; the rest comes and
// goes. [log] and [process] are always there.
bool is_fixed(Kind kind) {
  return kind == Kind::plugin || kind == Kind::control || kind == Kind::admin;
}
Effect coming(Kind kind) {
  return is_fixed(kind) ? Effect::restart : Effect::added;
}
Effect going(Kind kind) {
  return is_fixed(kind) ? Effect::restart : Effect::removed;
}

void compare(const Section& before, const Section& after, std::vector<Difference>& out) {
  for (std::size_t i = 0; i < after.values.size(); ++i) {
    const Value& old_value = before.values[i];
    const Value& new_value = after.values[i];
    if (old_value.texts() == new_value.texts()) continue;
    const Setting& setting = *new_value.setting;
    const Place place = new_value.is_default() ? after.place : new_value.place();
    out.push_back({after.path() + "." + std::string(setting.key), after.path(), text_of(old_value),
                   text_of(new_value), place, effect_of(setting, before, after)});
  }
}

// Files of the same name whose keys are others.
void compare_key_files(const LoadedConfig& before, const LoadedConfig& after,
                       std::vector<Difference>& out) {
  for (const KeyFile& file : after.key_files) {
    for (const KeyFile& old : before.key_files) {
      if (old.section != file.section || old.key != file.key || old.mark == file.mark) continue;
      const std::string path = file.section + "." + file.key;
      const bool seen = std::any_of(out.begin(), out.end(),
                                    [&](const Difference& other) { return other.path == path; });
      if (seen) continue;
      const Section& section = *find(after, file.section);
      const Setting& setting = *find_setting(section.kind, file.key);
      out.push_back({path, file.section, "(former keys)", "(new keys)", file.place,
                     effect_of(setting, section, section)});
    }
  }
}

}  // namespace

std::string Difference::to_string() const {
  std::string text = path;
  switch (effect) {
    case Effect::added:
      text += " is new";
      break;
    case Effect::removed:
      text += " is gone";
      break;
    default:
      text += ": " + old_value + " -> " + new_value;
      break;
  }
  if (effect == Effect::restart) {
    if (path == section) text = path + (new_value.empty() ? " is gone and" : " is new and");
    text += " needs a restart";
  }
  return Error{place, text}.to_string();
}

std::vector<Difference> diff(const LoadedConfig& before, const LoadedConfig& after) {
  std::vector<Difference> out;
  for (const Section& section : after.sections) {
    const Section* old_section = find(before, section.path());
    if (old_section == nullptr) {
      out.push_back({section.path(), section.path(), "", section.title(), section.place,
                     coming(section.kind)});
    } else {
      compare(*old_section, section, out);
    }
  }
  compare_key_files(before, after, out);
  for (const Section& section : before.sections) {
    if (find(after, section.path()) != nullptr) continue;
    out.push_back(
        {section.path(), section.path(), section.title(), "", section.place, going(section.kind)});
  }
  return out;
}

}  // namespace sluice::config
