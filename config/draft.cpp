// SPDX-License-Identifier: Apache-2.0
#include "config/draft.hpp"

#include "config/refused.hpp"
#include "config/text.hpp"

#include <algorithm>
#include <optional>

namespace sluice::config {
namespace {

std::vector<std::string_view> kind_words() {
  std::vector<std::string_view> words;
  for (const Kind kind : kinds()) words.push_back(to_string(kind));
  return words;
}

std::string default_name(Kind kind) {
  if (is_single(kind)) return {};
  return kind == Kind::route ? "default" : std::string(to_string(kind));
}

std::string unknown_key_text(Kind kind, const std::string& key) {
  const std::string refusal = refused_text(key);
  if (!refusal.empty()) return refusal;
  std::vector<std::string_view> keys;
  std::vector<std::string_view> others;
  for (const Setting& setting : settings()) {
    if (setting.kind == kind) keys.push_back(setting.key);
    if (setting.key == key && (others.empty() || others.back() != to_string(setting.kind))) {
      others.push_back(to_string(setting.kind));
    }
  }
  std::string text =
      "unknown key '" + printable(key) + "' in [" + std::string(to_string(kind)) + "]";
  const std::string hint = did_you_mean(key, keys);
  if (!hint.empty()) return text + hint;
  if (!others.empty()) return text + "; it is a key of " + join_or(others);
  std::vector<std::string_view> all;
  for (const Setting& setting : settings()) all.push_back(setting.key);
  const std::string elsewhere = nearest(key, all);
  for (const Setting& setting : settings()) {
    if (setting.key != elsewhere) continue;
    return text + "; did you mean " + elsewhere + ", a key of " +
           std::string(to_string(setting.kind)) + "?";
  }
  return text;
}

class Drafter {
 public:
  explicit Drafter(Errors& errors) : m_errors(errors) {}

  std::vector<Draft> draft(const Document& document) {
    for (const RawSection& raw : document.sections) {
      if (raw.kind.empty()) continue;  // the keys before any section
      const auto made = header(raw);
      if (!made) continue;
      m_drafts.push_back({*made, {}});
      add_entries(m_drafts.back(), raw);
    }
    add_missing();
    if (!document.sections.empty()) add_leading(document.sections.front());
    return std::move(m_drafts);
  }

 private:
  void error(const Place& place, std::string text) { m_errors.push_back({place, std::move(text)}); }

  std::optional<Section> header(const RawSection& raw) {
    if (raw.kind == "?") return std::nullopt;  // the reader has said why
    const Kind* kind = find_kind(raw.kind);
    if (kind == nullptr) {
      const auto words = kind_words();
      std::string hint = did_you_mean(raw.kind, words);
      if (hint.empty()) hint = "; there are " + join_or(words);
      error(raw.place, "unknown section [" + printable(raw.kind) + "]" + hint);
      return std::nullopt;
    }
    if (is_single(*kind) && !raw.name.empty()) {
      error(raw.place, "[" + raw.kind + "] has no name");
      return std::nullopt;
    }
    Section section;
    section.kind = *kind;
    section.name = raw.name.empty() ? default_name(*kind) : raw.name;
    section.place = raw.place;
    if (!raw.name.empty() && !is_name(raw.name)) {
      error(raw.place, "'" + printable(raw.name) + "' is no name: 1 to 32 of a to z, 0 to 9 and -");
      return std::nullopt;
    }
    for (const Draft& other : m_drafts) {
      if (other.section.kind != section.kind || other.section.name != section.name) continue;
      error(raw.place, section.title() + " is there already, at " + other.section.place.text() +
                           (is_single(*kind) ? "" : "; give it another name"));
      return std::nullopt;
    }
    return section;
  }

  void add_entries(Draft& draft, const RawSection& raw) {
    for (const RawEntry& entry : raw.entries) {
      const Setting* setting = find_setting(draft.section.kind, entry.key);
      if (setting == nullptr) {
        error(entry.place, unknown_key_text(draft.section.kind, entry.key));
        continue;
      }
      if (!setting->repeatable) {
        const auto same = [&](const Assignment& a) { return a.setting == setting; };
        const auto first = std::find_if(draft.assignments.begin(), draft.assignments.end(), same);
        if (first != draft.assignments.end()) {
          error(entry.place, entry.key + " is given twice, first at " + first->place.text());
          continue;
        }
      }
      draft.assignments.push_back({setting, entry.text, entry.place});
    }
  }

  void add_missing() {
    for (const Kind kind : {Kind::route, Kind::log, Kind::process}) {
      const auto same = [kind](const Draft& d) { return d.section.kind == kind; };
      if (std::none_of(m_drafts.begin(), m_drafts.end(), same)) {
        Draft draft;
        draft.section.kind = kind;
        draft.section.name = default_name(kind);
        m_drafts.push_back(std::move(draft));
      }
    }
  }

  void add_leading(const RawSection& raw) {
    if (raw.entries.empty()) return;
    Draft* route = nullptr;
    for (Draft& draft : m_drafts) {
      if (draft.section.kind != Kind::route) continue;
      if (route != nullptr) {
        error(raw.entries.front().place,
              raw.entries.front().key +
                  " stands before any section, and there are several routes; move it under one");
        return;
      }
      route = &draft;
    }
    add_entries(*route, raw);
  }

  Errors& m_errors;
  std::vector<Draft> m_drafts;
};

}  // namespace

std::vector<Draft> draft_sections(const Document& document, Errors& errors) {
  return Drafter(errors).draft(document);
}

}  // namespace sluice::config
