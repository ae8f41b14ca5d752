// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::app {

/// A command line that makes no sense; the text says what and the nearest right thing.
class UsageError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

struct OptionSpec {
  std::string_view name;   ///< without dashes
  char letter = '\0';      ///< short form, or none
  std::string_view value;  ///< what the value is called in the help; empty = a switch
  std::string_view help;
  bool repeatable = false;
};

/// One subcommand, the source of its parser and of its help.
struct CommandSpec {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::string_view usage;    ///< without "sluice <name>"
  std::span<const OptionSpec> options;
  std::string_view details;  ///< after the options: notes and examples
  bool takes_words = false;  ///< arguments that are not options
  /// The help of one of its words, where those have some of their own. Throws UsageError.
  std::string (*word_help)(const std::string& word) = nullptr;
};

/// A parsed command line; a plain value.
class Arguments {
 public:
  [[nodiscard]] bool has(std::string_view option) const;
  [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
  [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
  [[nodiscard]] const std::vector<std::string>& words() const noexcept { return m_words; }

 private:
  friend Arguments parse_arguments(const CommandSpec&, const std::vector<std::string>&);
  std::map<std::string, std::vector<std::string>, std::less<>> m_options;
  std::vector<std::string> m_words;
};

/// `arguments` are those after the subcommand. -h and --help are added to every command. Throws
/// UsageError.
[[nodiscard]] Arguments parse_arguments(const CommandSpec& command,
                                        const std::vector<std::string>& arguments);
[[nodiscard]] std::string help_text(const CommandSpec& command);

/// "2s", "500ms". Throws UsageError naming the option.
[[nodiscard]] long long parse_duration_ms(std::string_view option, const std::string& text);

/// "10", "1k"; at least 1. Throws UsageError naming the option.
[[nodiscard]] std::uint64_t parse_count(std::string_view option, const std::string& text);

}  // namespace sluice::app
