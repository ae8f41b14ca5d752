// SPDX-License-Identifier: Apache-2.0
#include "app/command/arguments.hpp"

#include "config/text.hpp"
#include "config/value.hpp"

#include <boost/program_options.hpp>

#include <algorithm>

namespace sluice::app {
namespace {

namespace po = boost::program_options;
using Texts = std::vector<std::string>;

constexpr OptionSpec k_help{"help", 'h', {}, "this text"};

std::string both_forms(const OptionSpec& option) {
  std::string name(option.name);
  if (option.letter != '\0') {
    name += ',';
    name += option.letter;
  }
  return name;
}

void add(po::options_description& to, const OptionSpec& option) {
  const std::string name = both_forms(option);
  if (option.value.empty()) {
    to.add_options()(name.c_str(), po::value<Texts>()->zero_tokens());
  } else if (option.repeatable) {
    to.add_options()(name.c_str(), po::value<Texts>());
  } else {
    to.add_options()(name.c_str(), po::value<std::string>());
  }
}

std::string unknown_option(const CommandSpec& command, const std::string& given) {
  std::vector<std::string_view> names{k_help.name};
  for (const OptionSpec& option : command.options) names.push_back(option.name);
  const auto bare = given.find_first_not_of('-');
  const std::string word = bare == std::string::npos ? std::string{} : given.substr(bare);
  const std::string near = config::nearest(word, names);
  std::string text = "unknown option " + config::printable(given);
  if (!near.empty()) text += "; did you mean --" + near + "?";
  return text;
}

/// "-5" and "-1ms" are words, not options: a value is refused by what it is for, with its name.
std::vector<po::option> take_negative_number(Texts& arguments) {
  const std::string& next = arguments.front();
  if (next.size() < 2 || next[0] != '-' || next[1] < '0' || next[1] > '9') return {};
  po::option word;
  word.value.push_back(next);
  word.original_tokens.push_back(next);
  arguments.erase(arguments.begin());
  return {word};
}

std::string option_line(const OptionSpec& option) {
  std::string left = "  ";
  left += option.letter != '\0' ? std::string{'-', option.letter} + ", " : std::string("    ");
  left += "--" + std::string(option.name);
  if (!option.value.empty()) left += ' ' + std::string(option.value);
  constexpr std::size_t k_column = 30;
  left.resize(std::max(left.size() + 2, k_column), ' ');
  return left + std::string(option.help) + '\n';
}

}  // namespace

bool Arguments::has(std::string_view option) const {
  return m_options.find(option) != m_options.end();
}

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto found = m_options.find(option);
  if (found == m_options.end() || found->second.empty()) return {};
  return found->second.back();
}

std::vector<std::string> Arguments::values(std::string_view option) const {
  const auto found = m_options.find(option);
  return found == m_options.end() ? Texts{} : found->second;
}

Arguments parse_arguments(const CommandSpec& command, const Texts& arguments) {
  po::options_description options;
  add(options, k_help);
  for (const OptionSpec& option : command.options) add(options, option);
  options.add_options()("words", po::value<Texts>());
  po::positional_options_description positional;
  positional.add("words", -1);

  Arguments out;
  try {
    namespace style = po::command_line_style;
    po::variables_map parsed;
    po::store(
        po::command_line_parser(arguments)
            .options(options)
            .positional(positional)
            .style(static_cast<int>(style::unix_style) & ~static_cast<int>(style::allow_guessing))
            .extra_style_parser(take_negative_number)
            .run(),
        parsed);
    for (const auto& [name, held] : parsed) {
      const auto* text = boost::any_cast<std::string>(&held.value());
      const Texts values = text != nullptr ? Texts{*text} : held.as<Texts>();
      if (name == "words") {
        out.m_words = values;
      } else {
        out.m_options[name] = values;
      }
    }
  } catch (const po::unknown_option& e) {
    throw UsageError(unknown_option(command, e.get_option_name()));
  } catch (const po::error& e) {
    throw UsageError(e.what());
  }
  if (!command.takes_words && !out.m_words.empty()) {
    throw UsageError("unexpected " + config::printable(out.m_words.front()));
  }
  return out;
}

std::string help_text(const CommandSpec& command) {
  std::string out = "sluice " + std::string(command.name) + " - " + std::string(command.summary) +
                    "\n\nusage: sluice " + std::string(command.name);
  if (!command.usage.empty()) out += ' ' + std::string(command.usage);
  out += "\n\noptions:\n";
  for (const OptionSpec& option : command.options) out += option_line(option);
  out += option_line(k_help);
  if (!command.details.empty()) out += '\n' + std::string(command.details);
  return out;
}

long long parse_duration_ms(std::string_view option, const std::string& text) {
  constexpr std::int64_t k_ms = 1'000'000;
  const config::Setting setting{
      .key = option, .type = config::Type::duration, .min = 0, .step = k_ms};
  try {
    return std::get<std::int64_t>(config::parse_value(setting, text).front()) / k_ms;
  } catch (const config::BadValue& e) {
    throw UsageError(e.what());
  }
}

std::uint64_t parse_count(std::string_view option, const std::string& text) {
  const config::Setting setting{
      .key = option, .type = config::Type::count, .min = 1, .max = 1'000'000'000};
  try {
    return static_cast<std::uint64_t>(
        std::get<std::int64_t>(config::parse_value(setting, text).front()));
  } catch (const config::BadValue& e) {
    throw UsageError(e.what());
  }
}

}  // namespace sluice::app
