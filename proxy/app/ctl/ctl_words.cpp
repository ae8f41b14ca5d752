// SPDX-License-Identifier: Apache-2.0
#include "app/ctl/ctl_words.hpp"

#include "config/text.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace sluice::app {
namespace {

constexpr std::size_t k_any = 1000;
constexpr std::array<std::string_view, 1> k_stop_options{"wait"};
constexpr std::array<std::string_view, 1> k_stats_options{"interval"};
constexpr std::array<std::string_view, 3> k_top_options{"interval", "count", "for"};

constexpr std::array<CtlWord, 13> k_words{{
    {"pause",
     "PAUSE",
     "[ROUTE]",
     0,
     1,
     "paused",
     "hold data at the sources",
     "After the answer nothing goes from a source to a sink; what the sinks had accepted still\n"
     "drains. Sources hold what comes, up to their high-water marks.\n",
     "  sluice ctl pause\n"
     "  sluice ctl pause market\n",
     {}},
    {"resume",
     "RESUME",
     "[ROUTE]",
     0,
     1,
     "resumed",
     "forward again",
     "What the sources hold comes first, in order. Resuming what runs changes nothing.\n",
     "  sluice ctl resume market\n",
     {}},
    {"terminate", "TERMINATE", "[ROUTE]", 0, 1, "terminating", "stop: deliver what was accepted",
     "Takes nothing more from the sources. The process ends when all its routes have stopped, at\n"
     "the latest after their linger.\n",
     "  sluice ctl terminate\n"
     "  sluice ctl terminate --wait --timeout 10s\n",
     k_stop_options},
    {"drain", "DRAIN", "[ROUTE]", 0, 1, "draining", "stop: take what the sources hold first",
     "Reads the sources for at most half of the linger, also of a route that is paused.\n",
     "  sluice ctl drain --wait --timeout 10s\n", k_stop_options},
    {"stats", "STATUS", "", 0, 0, "", "rates, CPU and system calls per message",
     "Looks twice and prints what passed in between; the totals are since the start.\n",
     "  sluice ctl stats\n"
     "  sluice ctl stats --interval 10s --json\n",
     k_stats_options},
    {"top", "STATUS", "[ROUTE]", 0, 1, "",
     "stats again and again, with what a changed setting brought; on\n"
     "a terminal a screen (q quits), else lines",
     "With --json one object a line and an interval.\n",
     "  sluice ctl top\n"
     "  sluice ctl top market --interval 500ms\n"
     "  sluice ctl top --json --count 10 > top.jsonl\n",
     k_top_options},
    {"status",
     "STATUS",
     "",
     0,
     0,
     "",
     "states, sources, sinks, counters",
     "With --json all of it, as the manual lists it.\n",
     "  sluice ctl status\n"
     "  sluice ctl status --json | jq '.routes[].sinks[].peers'\n",
     {}},
    {"get",
     "GET",
     "KEY",
     1,
     1,
     "",
     "for example get market.coalesce_delay",
     "Any key of the configuration; kind and name may be left out where that is clear.\n",
     "  sluice ctl get route.market.coalesce_delay\n"
     "  sluice ctl get log.level\n",
     {}},
    {"set",
     "SET",
     "KEY VALUE",
     2,
     k_any,
     "set",
     "change a knob; until the next reload",
     "Live settings only; sluice.conf(5) says which are. Others change in the file, by reload or\n"
     "restart.\n",
     "  sluice ctl set route.market.coalesce_delay 1ms\n"
     "  sluice ctl set inbound_poll_rate 10k\n"
     "  sluice ctl set log.level debug\n",
     {}},
    {"attach",
     "ATTACH",
     "ROUTE ENDPOINT",
     2,
     2,
     "attached",
     "connect one more source",
     "It stays attached over reloads, and goes with the process or by detach.\n",
     "  sluice ctl attach market tcp://10.0.0.7:5555\n",
     {}},
    {"detach",
     "DETACH",
     "ROUTE ENDPOINT",
     2,
     2,
     "detached",
     "take one out again",
     "Forwards what has come from it for at most 10 ms.\n",
     "  sluice ctl detach market tcp://10.0.0.7:5555\n",
     {}},
    {"reload",
     "RELOAD",
     "",
     0,
     0,
     "reloaded",
     "read the configuration again",
     "Checked first; then all of it becomes true, or nothing does and the answer says why, with\n"
     "file and line. What SET had given is discarded, and named.\n",
     "  sluice check -c /etc/sluice/sluice.ini && sluice ctl reload\n",
     {}},
    {"ping",
     "PING",
     "",
     0,
     0,
     "ok",
     "does every forwarding loop answer?",
     "Exits with 1 when one does not within 1 s, with 69 when nobody answers at all: a health\n"
     "probe.\n",
     "  sluice ctl ping --timeout 500ms\n",
     {}},
}};

std::string_view json_text(const CtlWord& word) {
  if (word.name == "stats" || word.name == "top" || word.name == "status") return "";
  return "With --json the answer is {\"result\": \"...\"}, or {\"error\": \"...\"} when refused.\n";
}

std::string call_of(const CtlWord& word) {
  return std::string(word.name) + (word.takes.empty() ? "" : " ") + std::string(word.takes);
}

void indent_to(std::string& text, std::size_t column) {
  text.resize(std::max(text.size() + 2, column), ' ');
}

}  // namespace

const CtlWord& find_ctl_word(const std::string& name) {
  std::vector<std::string_view> names;
  for (const CtlWord& known : k_words) {
    if (known.name == name) return known;
    names.push_back(known.name);
  }
  throw UsageError("unknown command " + config::printable(name) +
                   config::did_you_mean(name, names));
}

std::string ctl_command_text(const CtlWord& word, const Words& words) {
  const std::size_t given = words.size() - 1;
  if (given < word.least || given > word.most) {
    const std::string takes =
        word.takes.empty() ? "takes no argument" : "takes " + std::string(word.takes);
    throw UsageError(std::string(word.name) + ' ' + takes + ", not " + std::to_string(given) +
                     (given == 1 ? " argument" : " arguments"));
  }
  std::string text(word.command);
  for (std::size_t i = 1; i < words.size(); ++i) text += ' ' + words[i];
  return text;
}

std::string ctl_words_help() {
  constexpr std::size_t k_column = 28;
  std::string out;
  for (const CtlWord& word : k_words) {
    std::string line = "  " + call_of(word);
    indent_to(line, k_column);
    for (const char c : word.summary) {
      line += c;
      if (c == '\n') line.append(k_column, ' ');
    }
    out += line + '\n';
  }
  return out;
}

std::string ctl_word_help(const std::string& name, std::span<const OptionSpec> all) {
  const CtlWord& word = find_ctl_word(name);
  std::string summary(word.summary);
  std::replace(summary.begin(), summary.end(), '\n', ' ');
  std::string out = "sluice ctl " + std::string(word.name) + " - " + summary +
                    "\n\nusage: sluice ctl [OPTION]... " + call_of(word) + "\n\n";
  out += word.details;
  out += json_text(word);
  out += "\noptions:\n";
  for (const OptionSpec& option : all) {
    if (std::find(word.options.begin(), word.options.end(), option.name) == word.options.end()) {
      continue;
    }
    std::string line = "  --" + std::string(option.name);
    if (!option.value.empty()) line += ' ' + std::string(option.value);
    indent_to(line, 20);
    out += line + std::string(option.help) + '\n';
  }
  out += "  -e, -c, --json, --secret, --server-key, --timeout: see `sluice ctl --help`\n";
  out += "\nexamples:\n";
  out += word.examples;
  return out;
}

std::vector<std::string_view> ctl_words() {
  std::vector<std::string_view> names;
  for (const CtlWord& word : k_words) names.push_back(word.name);
  return names;
}

}  // namespace sluice::app
