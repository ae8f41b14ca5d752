// SPDX-License-Identifier: Apache-2.0
#include "app/admin/families.hpp"

#include <string>

namespace sluice::app {
namespace {

constexpr double k_nanosecond = 1e-9;

/// The settings of one unit, straight from the table of settings.
template <typename Wanted>
void add_numbers(Families& family, const std::vector<config::Section>& sections, Wanted wanted,
                 double factor) {
  for (const config::Section& section : sections) {
    for (const config::Value& value : section.values) {
      if (value.items.empty() || value.setting->secret || !wanted(value.setting->type)) continue;
      const auto* number = std::get_if<std::int64_t>(&value.items.front().value);
      if (number == nullptr) continue;
      family.add({{"section", section.path()}, {"key", value.setting->key}},
                 static_cast<double>(*number) * factor);
    }
  }
}

}  // namespace

void add_settings(Families& families, const std::vector<config::Section>& sections) {
  using config::Type;
  add_numbers(
      families.gauge("sluice_setting_seconds", "The durations in force"), sections,
      [](Type type) { return type == Type::duration; }, k_nanosecond);
  add_numbers(
      families.gauge("sluice_setting_bytes", "The sizes in force; -1 = unlimited"), sections,
      [](Type type) { return type == Type::size; }, 1);
  add_numbers(
      families.gauge("sluice_setting", "The counts in force, and the switches as 0 and 1"),
      sections, [](Type type) { return type == Type::count || type == Type::boolean; }, 1);
  auto& choices = families.gauge("sluice_setting_choice", "1 for each choice in force");
  for (const config::Section& section : sections) {
    for (const config::Value& value : section.values) {
      if (value.setting->type != Type::choice || value.items.empty()) continue;
      choices.add({{"section", section.path()},
                   {"key", value.setting->key},
                   {"value", std::get<std::string>(value.items.front().value)}},
                  1.0);
    }
  }
}

}  // namespace sluice::app
