// SPDX-License-Identifier: Apache-2.0
#include "config/draft.hpp"

#include <boost/any.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/variables_map.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace sluice::config {
namespace {

namespace po = boost::program_options;
using Scalars = std::vector<Scalar>;

/// The type of one setting as Boost.Program_options wants it.
class SettingSemantic final : public po::value_semantic {
 public:
  explicit SettingSemantic(const Setting& setting) : m_setting(setting) {}

  [[nodiscard]] std::string name() const override { return std::string(to_string(m_setting.type)); }
  [[nodiscard]] unsigned min_tokens() const override { return 1; }
  [[nodiscard]] unsigned max_tokens() const override { return 1; }
  [[nodiscard]] bool is_composing() const override { return false; }
  [[nodiscard]] bool is_required() const override { return false; }

  void parse(boost::any& store, const std::vector<std::string>& tokens,
             bool /*utf8*/) const override {
    Scalars all;
    if (const auto* before = boost::any_cast<Scalars>(&store)) all = *before;
    for (const std::string& token : tokens) {
      Scalars parsed = parse_value(m_setting, token);
      std::move(parsed.begin(), parsed.end(), std::back_inserter(all));
    }
    store = std::move(all);
  }
  bool apply_default(boost::any& store) const override {
    if (m_setting.standard.empty()) return false;
    store = parse_value(m_setting, m_setting.standard);
    return true;
  }
  void notify(const boost::any& /*value*/) const override {}

 private:
  const Setting& m_setting;
};

const po::options_description& options_of(Kind kind) {
  static const auto all = [] {
    std::map<Kind, po::options_description> made;
    for (const Setting& setting : settings()) {
      made[setting.kind].add_options()(std::string(setting.key).c_str(),
                                       new SettingSemantic(setting),  // the description owns it
                                       std::string(setting.help).c_str());
    }
    return made;
  }();
  return all.at(kind);
}

constexpr auto k_weakest_first =
    std::to_array<Origin>({Origin::file, Origin::environment, Origin::flag, Origin::command});

class Typer {
 public:
  Typer(const Draft& draft, Errors& errors)
      : m_draft(draft), m_options(options_of(draft.section.kind)), m_errors(errors) {}

  Section type() {
    Section section = m_draft.section;
    po::variables_map defaults;
    po::store(po::parsed_options(&m_options), defaults);
    for (const Setting& setting : settings(section.kind)) {
      Value value{&setting, {}};
      const std::string key(setting.key);
      if (defaults.count(key) > 0) {
        for (const Scalar& scalar : defaults[key].as<Scalars>())
          value.items.push_back({scalar, {}});
      }
      for (const Origin origin : k_weakest_first) take(value, origin);
      section.values.push_back(std::move(value));
    }
    return section;
  }

 private:
  // Replaces the items by what this origin says, if it says something.
  void take(Value& value, Origin origin) {
    std::vector<const Assignment*> said;
    for (const Assignment& assignment : m_draft.assignments) {
      if (assignment.setting != value.setting || assignment.place.origin != origin) continue;
      if (!value.setting->repeatable) said.clear();  // of several flags the last counts
      said.push_back(&assignment);
    }
    if (said.empty()) return;
    std::vector<Item> items;
    for (const Assignment* assignment : said) {
      for (Scalar& scalar : typed(*assignment)) {
        items.push_back({std::move(scalar), assignment->place});
      }
    }
    value.items = std::move(items);
  }

  Scalars typed(const Assignment& assignment) {
    const std::string key(assignment.setting->key);
    po::parsed_options parsed(&m_options);
    parsed.options.emplace_back(key, std::vector<std::string>{assignment.text});
    po::variables_map values;
    try {
      po::store(parsed, values);
      return values[key].as<Scalars>();
    } catch (const std::exception& bad) {
      m_errors.push_back({assignment.place, bad.what()});
      return {};
    }
  }

  const Draft& m_draft;
  const po::options_description& m_options;
  Errors& m_errors;
};

}  // namespace

std::vector<Section> type_sections(const std::vector<Draft>& drafts, Errors& errors) {
  std::vector<Section> sections;
  sections.reserve(drafts.size());
  for (const Draft& draft : drafts) sections.push_back(Typer(draft, errors).type());
  return sections;
}

}  // namespace sluice::config
