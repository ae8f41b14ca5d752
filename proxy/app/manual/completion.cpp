// SPDX-License-Identifier: Apache-2.0
#include "app/command/arguments.hpp"
#include "app/command/commands.hpp"
#include "app/manual/pages.hpp"
#include "app/program.hpp"
#include "config/table.hpp"

#include <set>

namespace sluice::app::manual {
namespace {

std::string options_of(const CommandSpec& spec) {
  std::string out;
  for (const OptionSpec& option : spec.options) out += "--" + std::string(option.name) + ' ';
  return out + "--help";
}

std::string commands() {
  std::string out;
  for (const CommandSpec* spec : command_specs()) out += std::string(spec->name) + ' ';
  return out + "help version";
}

std::string ctl_commands() {
  std::string out;
  for (const std::string_view word : ctl_words()) out += std::string(word) + ' ';
  return out;
}

/// Keys that SET takes, each once.
std::string live_keys() {
  std::set<std::string_view> keys;
  for (const config::Setting& setting : config::settings()) {
    if (setting.change == config::Change::live) keys.insert(setting.key);
  }
  std::string out;
  for (const std::string_view key : keys) out += std::string(key) + ' ';
  return out;
}

constexpr const char* k_head =
    "# Generated from the program's own tables.\n"
    "# bash completion for sluice(1)\n"
    "_sluice() {\n"
    "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
    "command=${COMP_WORDS[1]}\n"
    "  local options='' words='' i\n"
    "  COMPREPLY=()\n"
    "  if ((COMP_CWORD == 1)); then\n";

constexpr const char* k_middle =
    "    return\n"
    "  fi\n"
    "  case $prev in\n"
    "    -c | --config | --write | --sidecar) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n"
    "  esac\n"
    "  case $command in\n";

constexpr const char* k_tail =
    "  esac\n"
    "  if [[ $command == ctl ]]; then\n"
    "    for ((i = 2; i < COMP_CWORD; ++i)); do\n"
    "      case ${COMP_WORDS[i]} in get | set) words=$keys ;; esac\n"
    "    done\n"
    "  fi\n"
    "  case $cur in\n"
    "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
    "    *) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
    "  esac\n"
    "}\n"
    "complete -o default -F _sluice sluice\n";

}  // namespace

std::string bash_completion() {
  std::string out = k_head;
  out += "    COMPREPLY=($(compgen -W '" + commands() + " --help --version' -- \"$cur\"))\n";
  out += k_middle;
  for (const CommandSpec* spec : command_specs()) {
    out += "    " + std::string(spec->name) + ") options='" + options_of(*spec) + "'";
    if (spec->name == "ctl") out += " words='" + ctl_commands() + "'";
    out += " ;;\n";
  }
  out += "    help) words='" + commands() + "' ;;\n";
  std::string tail = k_tail;
  tail.replace(tail.find("$keys"), 5, "'" + live_keys() + "'");
  return out + tail;
}

}  // namespace sluice::app::manual
