// SPDX-License-Identifier: Apache-2.0
#include "core/control/control_command.hpp"

#include <algorithm>

namespace sluice::core {
namespace {

enum class Arguments : std::uint8_t { none, optional_one, one, two, one_and_rest };

struct Word {
  std::string_view name;
  Verb verb;
  Arguments arguments;
  std::string_view usage;
};

constexpr std::array<Word, k_verbs> k_words{{
    {"PAUSE", Verb::pause, Arguments::optional_one, "PAUSE [route]"},
    {"RESUME", Verb::resume, Arguments::optional_one, "RESUME [route]"},
    {"TERMINATE", Verb::terminate, Arguments::optional_one, "TERMINATE [route]"},
    {"STATISTICS", Verb::statistics, Arguments::none, "STATISTICS"},
    {"STATUS", Verb::status, Arguments::none, "STATUS"},
    {"GET", Verb::get, Arguments::one, "GET key"},
    {"SET", Verb::set, Arguments::one_and_rest, "SET key value"},
    {"ATTACH", Verb::attach, Arguments::two, "ATTACH route endpoint"},
    {"DETACH", Verb::detach, Arguments::two, "DETACH route endpoint"},
    {"RELOAD", Verb::reload, Arguments::none, "RELOAD"},
    {"DRAIN", Verb::drain, Arguments::optional_one, "DRAIN [route]"},
    {"PING", Verb::ping, Arguments::none, "PING"},
}};

constexpr std::size_t k_shown = 32;

bool is_printable(char c) noexcept {
  return c >= 0x20 && c < 0x7f;
}

struct Split {
  std::string_view head;
  std::optional<std::string_view> tail;
};

Split split(std::string_view text) noexcept {
  const auto space = text.find(' ');
  if (space == std::string_view::npos) return {text, {}};
  return {text.substr(0, space), text.substr(space + 1)};
}

bool is_one_word(std::optional<std::string_view> text) noexcept {
  return text && !text->empty() && text->find(' ') == std::string_view::npos;
}

std::optional<Command> with_arguments(const Word& word, std::optional<std::string_view> rest) {
  switch (word.arguments) {
    case Arguments::none:
      if (rest) return {};
      return Command{word.verb, {}, {}};
    case Arguments::optional_one:
      if (!rest) return Command{word.verb, {}, {}};
      [[fallthrough]];
    case Arguments::one:
      if (!is_one_word(rest)) return {};
      return Command{word.verb, *rest, {}};
    case Arguments::two:
    case Arguments::one_and_rest:
      break;
  }
  if (!rest) return {};
  const Split parts = split(*rest);
  if (parts.head.empty() || !parts.tail) return {};
  if (word.arguments == Arguments::two && !is_one_word(parts.tail)) return {};
  return Command{word.verb, parts.head, *parts.tail};
}

}  // namespace

bool Command::asks_only() const noexcept {
  return verb == Verb::statistics || verb == Verb::status || verb == Verb::get ||
         verb == Verb::ping;
}

bool Command::is_classic() const noexcept {
  return verb == Verb::pause || verb == Verb::resume || verb == Verb::terminate;
}

std::variant<Command, Rejection> parse_command(std::string_view text) {
  if (text.empty()) return Rejection{"-", "empty command"};
  const Split parts = split(text);
  if (text.size() > k_max_command) {
    return Rejection{printable(parts.head, k_shown),
                     "command longer than " + std::to_string(k_max_command) + " bytes"};
  }
  if (!std::all_of(text.begin(), text.end(), is_printable)) {
    return Rejection{printable(parts.head, k_shown), "commands are printable ASCII"};
  }
  for (const Word& word : k_words) {
    if (word.name != parts.head) continue;
    if (auto command = with_arguments(word, parts.tail)) return *command;
    return Rejection{std::string(word.name), "expected: " + std::string(word.usage)};
  }
  return Rejection{parts.head.empty() ? "-" : printable(parts.head, k_shown), "no such command"};
}

std::string_view to_string(Verb verb) noexcept {
  for (const Word& word : k_words) {
    if (word.verb == verb) return word.name;
  }
  return "?";
}

std::string printable(std::string_view text, std::size_t limit) {
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::string out;
  for (const char c : text.substr(0, limit)) {
    if (is_printable(c) && c != '\\') {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += k_digits[byte >> 4U];
    out += k_digits[byte & 15U];
  }
  if (text.size() > limit) out += "...";
  return out;
}

}  // namespace sluice::core
