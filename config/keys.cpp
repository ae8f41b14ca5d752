// SPDX-License-Identifier: Apache-2.0
#include "config/keys.hpp"

#include "config/build.hpp"
#include "config/refused.hpp"
#include "config/text.hpp"

#include <algorithm>

namespace sluice::config {
namespace {

bool matches(const Section& section, std::span<const std::string_view> prefix) {
  const std::string_view kind = to_string(section.kind);
  if (prefix.empty()) return true;
  if (prefix.size() == 1) return prefix[0] == kind || prefix[0] == section.name;
  return prefix[0] == kind && prefix[1] == section.name;
}

std::string full_path(const Section& section, const Setting& setting) {
  return section.path() + "." + std::string(setting.key);
}

std::string unknown_text(const std::vector<Section>& sections, std::string_view path) {
  const auto parts = split(path, '.');
  std::string refusal = refused_text(parts.back());
  if (!refusal.empty()) return refusal;
  std::vector<std::string> paths;
  std::vector<std::string_view> keys;
  for (const Section& section : sections) {
    const bool near =
        parts.size() > 1 && matches(section, std::span(parts).first(parts.size() - 1));
    for (const Setting& setting : settings(section.kind)) {
      paths.push_back(full_path(section, setting));
      if (near || parts.size() == 1) keys.push_back(setting.key);
    }
  }
  std::string text = "no setting '" + printable(path) + "'";
  // First the key inside of the section named, then the whole path.
  const std::string key = nearest(parts.back(), keys);
  if (!key.empty()) {
    std::string whole(path.substr(0, path.size() - parts.back().size()));
    return text + "; did you mean " + whole + key + "?";
  }
  const std::vector<std::string_view> views(paths.begin(), paths.end());
  return text + did_you_mean(path, views);
}

std::string several_text(std::string_view path, const std::vector<KeyRef>& found) {
  constexpr std::size_t k_shown = 4;
  std::vector<std::string_view> paths;
  for (const KeyRef& key : found) {
    if (paths.size() < k_shown) paths.emplace_back(key.path);
  }
  return "'" + printable(path) + "' may mean " + join_or(paths) +
         (found.size() > k_shown ? " or others" : "") + "; write one of them";
}

std::string hidden() {
  return "(secret)";
}

}  // namespace

KeyResult find_key(const std::vector<Section>& sections, std::string_view path) {
  const auto parts = split(path, '.');
  std::vector<KeyRef> found;
  if (parts.size() <= 3) {
    for (std::size_t i = 0; i < sections.size(); ++i) {
      if (!matches(sections[i], std::span(parts).first(parts.size() - 1))) continue;
      const Setting* setting = find_setting(sections[i].kind, parts.back());
      if (setting != nullptr) found.push_back({i, setting, full_path(sections[i], *setting)});
    }
  }
  if (found.empty()) return unknown_text(sections, path);
  if (found.size() > 1) return several_text(path, found);
  return std::move(found.front());
}

KeyResult find_key(const LoadedConfig& config, std::string_view path) {
  return find_key(config.sections, path);
}

std::string value_text(const LoadedConfig& config, const KeyRef& key) {
  if (key.setting->secret) return hidden();
  std::string text;
  for (const std::string& one : config.sections.at(key.section).value(key.setting->key).texts()) {
    if (!text.empty()) text += ' ';
    text += one;
  }
  return text;
}

bool is_live(const LoadedConfig& config, const KeyRef& key) {
  if (key.setting->change != Change::live) return false;
  const Section& section = config.sections.at(key.section);
  if (key.setting->kind != Kind::sink) return true;
  return section.text("on_full") != "block" && section.text("engine") != "zmq";
}

LoadResult with_value(const LoadedConfig& config, std::string_view path, std::string_view text) {
  const Place place{Origin::command, std::string(path), 0};
  const auto refuse = [&place](std::string why) {
    return LoadResult(Errors{{place, std::move(why)}});
  };
  const KeyResult found = find_key(config, path);
  if (const auto* why = std::get_if<std::string>(&found)) return refuse(*why);
  const KeyRef& key = std::get<KeyRef>(found);
  if (key.setting->change != Change::live) {
    const std::string old_value = value_text(config, key);
    return refuse(key.path + ": " + (old_value.empty() ? "(none)" : old_value) + " -> " +
                  (key.setting->secret ? hidden() : printable(text)) +
                  " cannot be changed while it runs; change the file and " +
                  (key.setting->change == Change::restart ? "restart" : "reload"));
  }
  std::vector<Section> sections = config.sections;
  try {
    std::vector<Item> items;
    for (Scalar& scalar : parse_value(*key.setting, text)) {
      items.push_back({std::move(scalar), place});
    }
    const auto index = static_cast<std::size_t>(key.setting - settings(key.setting->kind).data());
    sections[key.section].values.at(index).items = std::move(items);
  } catch (const BadValue& bad) {
    return refuse(bad.what());
  }
  LoadResult result = build(std::move(sections), {}, &config);
  auto* after = std::get_if<LoadedConfig>(&result);
  const bool same_value = after != nullptr && value_text(*after, key) == value_text(config, key);
  if (after != nullptr && !same_value && (!is_live(config, key) || !is_live(*after, key))) {
    return refuse(key.path +
                  " changes while it runs only between drop and disconnect, on a native"
                  " sink; change the file and reload");
  }
  return result;
}

}  // namespace sluice::config
