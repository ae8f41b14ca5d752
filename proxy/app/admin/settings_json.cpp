// SPDX-License-Identifier: Apache-2.0
#include "app/admin/settings_json.hpp"

#include "config/config.hpp"

#include <nlohmann/json.hpp>

namespace sluice::app {
namespace {

using Json = nlohmann::ordered_json;

bool is_number(config::Type type) noexcept {
  return type == config::Type::count || type == config::Type::duration ||
         type == config::Type::size;
}

Json row(const config::LoadedConfig& config, std::size_t section_index, std::size_t value_index) {
  const config::Section& section = config.sections[section_index];
  const config::Value& value = section.values[value_index];
  const config::Setting& setting = *value.setting;
  const std::string path = section.path() + '.' + std::string(setting.key);
  const bool hidden = setting.secret && !value.items.empty();
  Json out = {{"path", path},
              {"section", section.path()},
              {"key", setting.key},
              {"values", hidden ? Json::array({"(secret)"}) : Json(value.texts())},
              {"origin", value.place().text()},
              {"change", to_string(setting.change)},
              {"live", is_live(config, {section_index, &setting, path})},
              {"type", to_string(setting.type)},
              {"default", setting.standard},
              {"allowed", range_text(setting)},
              {"choices", choices(setting)}};
  if (is_number(setting.type)) {
    out["min"] = setting.min;
    out["max"] = setting.max;
  }
  out["help"] = setting.help;
  return out;
}

}  // namespace

std::string settings_json(const config::LoadedConfig& config, bool changes) {
  Json rows = Json::array();
  for (std::size_t s = 0; s < config.sections.size(); ++s) {
    for (std::size_t v = 0; v < config.sections[s].values.size(); ++v) {
      rows.push_back(row(config, s, v));
    }
  }
  const Json out = {{"changes", changes}, {"settings", std::move(rows)}};
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sluice::app
