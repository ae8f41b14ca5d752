// SPDX-License-Identifier: Apache-2.0
#include "app/program.hpp"

#include "app/command/commands.hpp"
#include "config/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>

namespace sluice::app {
namespace {

struct Subcommand {
  const CommandSpec& (*spec)();
  ExitCode (*run)(const Arguments&);
};

constexpr std::array<Subcommand, 8> k_subcommands{{{run_spec, run_command},
                                                   {check_spec, check_command},
                                                   {show_spec, show_command},
                                                   {ctl_spec, ctl_command},
                                                   {load_spec, load_command},
                                                   {tune_spec, tune_command},
                                                   {trace_spec, trace_command},
                                                   {keygen_spec, keygen_command}}};

constexpr std::string_view k_examples = R"(
examples:
  sluice check -c sluice.ini            say what is wrong with a configuration
  sluice run -c sluice.ini              forward until told to stop
  sluice ctl -c sluice.ini stats        what passes, and what it costs
  sluice ctl -c sluice.ini set coalesce_delay 1ms
  sluice load -p ipc:///run/sluice/in.sock -s tcp://127.0.0.1:5556 --rate 50k
  sluice tune -c sluice.ini --latency-budget 2ms
  sluice trace -- python3 program.py    count the system calls of any program

`sluice <command> --help` tells more. Exit codes: 0 done, 1 run-time failure, 64 usage,
69 control endpoint not reachable, 78 configuration.
)";

void print(std::FILE* to, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), to);
}

std::string overview() {
  std::string out =
      "sluice - a fast, steerable ZeroMQ publisher proxy\n\n"
      "usage: sluice <command> [options]\n\ncommands:\n";
  for (const Subcommand& command : k_subcommands) {
    std::string name(command.spec().name);
    name.resize(10, ' ');
    out += "  " + name + std::string(command.spec().summary) + '\n';
  }
  out += "  version   as --version\n  help      this text, or that of a command\n";
  out += "\noptions:\n  -h, --help      this text\n  -V, --version   version and build\n";
  return out + std::string(k_examples);
}

ExitCode usage(const std::string& text) {
  print(stderr, "sluice: " + text + "\nsee `sluice --help`\n");
  return ExitCode::usage;
}

ExitCode unknown(const std::string& word) {
  std::vector<std::string_view> names{"help", "version"};
  for (const Subcommand& command : k_subcommands) names.push_back(command.spec().name);
  const bool is_option = word.rfind('-', 0) == 0;
  return usage((is_option ? "unknown option " : "unknown command ") + config::printable(word) +
               config::did_you_mean(word, names));
}

const Subcommand* find(std::string_view name) {
  const auto* found =
      std::find_if(k_subcommands.begin(), k_subcommands.end(),
                   [name](const Subcommand& command) { return command.spec().name == name; });
  return found == k_subcommands.end() ? nullptr : found;
}

ExitCode help(const Words& words) {
  if (words.empty()) {
    print(stdout, overview());
    return ExitCode::done;
  }
  const Subcommand* command = find(words.front());
  if (command == nullptr) return unknown(words.front());
  const CommandSpec& spec = command->spec();
  const bool of_word = words.size() > 1 && spec.word_help != nullptr;
  print(stdout, of_word ? spec.word_help(words[1]) : help_text(spec));
  return ExitCode::done;
}

ExitCode dispatch(const Words& arguments) {
  if (arguments.empty()) return usage("no command given");
  const std::string& word = arguments.front();
  const Words rest(arguments.begin() + 1, arguments.end());
  if (word == "-h" || word == "--help") return help({});
  if (word == "help") return help(rest);
  if (word == "-V" || word == "--version" || word == "version") {
    print(stdout, version_text());
    return ExitCode::done;
  }
  const Subcommand* command = find(word);
  if (command == nullptr) return unknown(word);
  const Arguments parsed = parse_arguments(command->spec(), rest);
  if (parsed.has("help")) {
    Words asked{word};
    asked.insert(asked.end(), parsed.words().begin(), parsed.words().end());
    return help(asked);
  }
  return command->run(parsed);
}

}  // namespace

std::vector<const CommandSpec*> command_specs() {
  std::vector<const CommandSpec*> specs;
  for (const Subcommand& command : k_subcommands) specs.push_back(&command.spec());
  return specs;
}

ExitCode run_program(const std::vector<std::string>& arguments) {
  try {
    return dispatch(arguments);
  } catch (const UsageError& e) {
    print(stderr, "sluice " + arguments.front() + ": " + e.what() + "\nsee `sluice " +
                      arguments.front() + " --help`\n");
    return ExitCode::usage;
  } catch (const std::exception& e) {
    print(stderr, std::string("sluice: ") + e.what() + '\n');
    return ExitCode::failure;
  }
}

}  // namespace sluice::app
