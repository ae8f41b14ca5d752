// SPDX-License-Identifier: Apache-2.0
#include "config/draft.hpp"
#include "config/keys.hpp"
#include "config/refused.hpp"
#include "config/text.hpp"

namespace sluice::config {
namespace {

std::vector<Section> sections_of(const std::vector<Draft>& drafts) {
  std::vector<Section> sections;
  for (const Draft& draft : drafts) sections.push_back(draft.section);
  return sections;
}

// A complete path to a section that is not there: makes the section.
bool make_section(std::vector<Draft>& drafts, std::string_view path, const Place& place) {
  const auto parts = split(path, '.');
  const Kind* kind = find_kind(parts.front());
  if (kind == nullptr || parts.size() != (is_single(*kind) ? 2U : 3U)) return false;
  if (find_setting(*kind, parts.back()) == nullptr) return false;
  Draft draft;
  draft.section.kind = *kind;
  draft.section.place = place;
  if (!is_single(*kind)) {
    if (!is_name(parts[1])) return false;
    draft.section.name = parts[1];
  }
  for (const Draft& other : drafts) {
    if (other.section.path() == draft.section.path()) return false;
  }
  // The route that stands for "none written" gives way to one that is.
  if (*kind == Kind::route) {
    std::erase_if(drafts, [](const Draft& d) {
      return d.section.kind == Kind::route && d.section.place.origin == Origin::standard &&
             d.assignments.empty();
    });
  }
  drafts.push_back(std::move(draft));
  return true;
}

}  // namespace

void apply_flags(std::vector<Draft>& drafts, const std::vector<std::string>& sets, Errors& errors) {
  for (const std::string& set : sets) {
    const Place place{Origin::flag, set, 0};
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0) {
      errors.push_back({place, "write --set section.key=value"});
      continue;
    }
    const std::string path(trim(std::string_view(set).substr(0, equals)));
    make_section(drafts, path, place);
    const KeyResult found = find_key(sections_of(drafts), path);
    if (const auto* text = std::get_if<std::string>(&found)) {
      errors.push_back({place, *text});
      continue;
    }
    const KeyRef& key = std::get<KeyRef>(found);
    drafts[key.section].assignments.push_back({key.setting, set.substr(equals + 1), place});
  }
}

}  // namespace sluice::config
