// SPDX-License-Identifier: Apache-2.0
#include "config/draft.hpp"
#include "config/load.hpp"
#include "config/text.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

extern char** environ;

namespace sluice::config {
namespace {

constexpr std::string_view k_prefix = "SLUICE_";

// Variables of the programs around the file; they are no settings.
constexpr auto k_program_variables = std::to_array<std::string_view>(
    {"SLUICE_CONTROL", "SLUICE_CONFIG", "SLUICE_ON_SIGNAL", "SLUICE_TRACE", "SLUICE_TRACE_OUT",
     "SLUICE_TRACE_FORMAT", "SLUICE_PRELOAD", "SLUICE_BIN"});
constexpr std::string_view k_test_prefix = "SLUICE_TEST_";

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (c == '-' || c == '.') c = '_';
  }
  return out;
}

struct Target {
  std::size_t draft = 0;
  const Setting* setting = nullptr;
  auto operator<=>(const Target&) const = default;
};

/// What each variable's name may mean: the complete one, and those with kind or name left out.
struct Names {
  std::map<std::string, std::set<Target>, std::less<>> complete;
  std::map<std::string, std::set<Target>, std::less<>> shorter;
};

Names names_of(const std::vector<Draft>& drafts, const std::vector<bool>& declared) {
  Names names;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const Section& section = drafts[i].section;
    for (const Setting& setting : settings(section.kind)) {
      const Target target{i, &setting};
      const std::string key = upper(setting.key);
      const std::string kind = upper(to_string(section.kind));
      names.complete[std::string(k_prefix) + upper(section.path()) + "_" + key].insert(target);
      if (!declared[i]) continue;
      if (!is_single(section.kind)) {
        names.shorter[std::string(k_prefix) + kind + "_" + key].insert(target);
        names.shorter[std::string(k_prefix) + upper(section.name) + "_" + key].insert(target);
      }
      names.shorter[std::string(k_prefix) + key].insert(target);
    }
  }
  return names;
}

std::string path_of(const std::vector<Draft>& drafts, const Target& target) {
  return drafts[target.draft].section.path() + "." + std::string(target.setting->key);
}

std::string several(const std::vector<Draft>& drafts, const std::set<Target>& targets) {
  std::vector<std::string> paths;
  for (const Target& target : targets) {
    if (paths.size() == 4) break;
    paths.push_back(path_of(drafts, target));
  }
  const std::vector<std::string_view> views(paths.begin(), paths.end());
  return join_or(views) + (targets.size() > views.size() ? " or others" : "");
}

std::string lower_end(std::string_view name) {
  std::string text(name.substr(k_prefix.size()));
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string unknown_text(const std::string& name, const Names& names) {
  std::vector<std::string> known;
  for (const std::string_view text : k_program_variables) known.push_back(lower_end(text));
  for (const auto& [text, targets] : names.complete) known.push_back(lower_end(text));
  for (const auto& [text, targets] : names.shorter) {
    if (targets.size() == 1) known.push_back(lower_end(text));
  }
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string best = nearest(lower_end(name), views);
  std::string text = "names no setting; it is not used";
  if (!best.empty()) text += "; did you mean " + std::string(k_prefix) + upper(best) + "?";
  return text;
}

// The single sections that the file may leave out can still be set.
std::vector<bool> add_singles(std::vector<Draft>& drafts) {
  std::vector<bool> declared(drafts.size(), true);
  for (const Kind kind : {Kind::control, Kind::admin}) {
    const auto same = [kind](const Draft& d) { return d.section.kind == kind; };
    if (std::any_of(drafts.begin(), drafts.end(), same)) continue;
    Draft draft;
    draft.section.kind = kind;
    drafts.push_back(std::move(draft));
    declared.push_back(false);
  }
  return declared;
}

}  // namespace

void apply_environment(std::vector<Draft>& drafts,
                       const std::vector<std::pair<std::string, std::string>>& variables,
                       std::vector<Warning>& warnings) {
  const std::vector<bool> declared = add_singles(drafts);
  const Names names = names_of(drafts, declared);
  for (const auto& [name, text] : variables) {
    if (!name.starts_with(k_prefix) || name.starts_with(k_test_prefix)) continue;
    if (std::find(k_program_variables.begin(), k_program_variables.end(), name) !=
        k_program_variables.end()) {
      continue;
    }
    const Place place{Origin::environment, name, 0};
    auto found = names.complete.find(name);
    if (found == names.complete.end()) {
      found = names.shorter.find(name);
      if (found == names.shorter.end()) {
        warnings.push_back({place, unknown_text(name, names)});
        continue;
      }
    }
    if (found->second.size() > 1) {
      warnings.push_back(
          {place, "may mean " + several(drafts, found->second) + "; it is not used"});
      continue;
    }
    const Target target = *found->second.begin();
    Draft& draft = drafts[target.draft];
    if (draft.section.place.origin == Origin::standard && !declared[target.draft]) {
      draft.section.place = place;
    }
    if (!target.setting->repeatable || target.setting->type == Type::topic) {
      draft.assignments.push_back({target.setting, text, place});
      continue;
    }
    for (const std::string_view part : split_quoted(text, ' ')) {
      draft.assignments.push_back({target.setting, std::string(part), place});
    }
  }
  std::size_t i = 0;
  std::erase_if(drafts, [&](const Draft& draft) {
    return !declared[i++] && draft.section.place.origin == Origin::standard;
  });
}

std::vector<std::pair<std::string, std::string>> process_environment() {
  std::vector<std::pair<std::string, std::string>> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || !text.starts_with(k_prefix)) continue;
    variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  std::sort(variables.begin(), variables.end());
  return variables;
}

}  // namespace sluice::config
