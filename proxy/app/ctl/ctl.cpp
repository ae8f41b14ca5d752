// SPDX-License-Identifier: Apache-2.0
#include "app/command/commands.hpp"
#include "app/ctl/control_client.hpp"
#include "app/ctl/ctl_report.hpp"
#include "app/ctl/ctl_words.hpp"
#include "app/top/top.hpp"

#include <cstdio>
#include <cstdlib>
#include <thread>

namespace sluice::app {
namespace {

using std::chrono::milliseconds;

/// The sidecar said no; the text is its.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

const CtlWord& find_word(const Words& words) {
  if (words.empty()) throw UsageError("what to do? pause, resume, stats, status, get, set, ...");
  return find_ctl_word(words.front());
}

/// The text after OK; empty for the empty answer; nothing where none was due.
std::optional<std::string> ask(ControlClient& client, const std::string& command) {
  const auto frames = client.request(command);
  if (!frames) return {};
  const std::string& text = frames->front();
  if (text.rfind("ERR ", 0) == 0) {
    const auto space = text.find(' ', 4);
    throw Refused(space == std::string::npos ? text : text.substr(space + 1));
  }
  if (text.rfind("OK", 0) != 0) return text;
  return text.size() > 3 ? text.substr(3) : std::string{};
}

std::string status_text(ControlClient& client) {
  const auto text = ask(client, "STATUS");
  if (!text) throw Refused("this type of control socket does not answer");
  return *text;
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_stats(ControlClient& client, milliseconds interval, bool json) {
  const std::string before = status_text(client);
  std::this_thread::sleep_for(interval);
  const StatsReport report = make_stats(before, status_text(client));
  print(json ? stats_json(report) : stats_text(report));
}

top::Options top_options(const Words& words, const Arguments& arguments) {
  top::Options options;
  if (words.size() > 1) options.route = words[1];
  options.json = arguments.has("json");
  options.interval =
      milliseconds(parse_duration_ms("--interval", arguments.value("interval").value_or("1s")));
  // The loops copy what STATUS shows ten times a second at most.
  if (options.interval < milliseconds(100)) throw UsageError("--interval: at least 100ms");
  if (const auto count = arguments.value("count")) options.count = parse_count("--count", *count);
  if (const auto time = arguments.value("for")) {
    if (options.count) throw UsageError("--for and --count exclude each other");
    options.count =
        static_cast<std::uint64_t>(parse_duration_ms("--for", *time) / options.interval.count());
  }
  return options;
}

/// After a command that stops: until the routes have stopped or the process has closed.
void wait_for_stop(ControlClient& client, const std::string& route) {
  constexpr milliseconds k_step{50};
  while (!client.wait_closed(k_step)) {
    if (!route.empty() && has_stopped(status_text(client), route)) return;
  }
}

void carry_out(const CtlWord& word, const Words& words, const Arguments& arguments,
               ControlClient& client) {
  const bool json = arguments.has("json");
  if (word.name == "status") {
    const std::string status = status_text(client);
    print(json ? status + '\n' : status_report(status));
    return;
  }
  if (word.name == "top") {
    top::watch(top_options(words, arguments), [&client] { return status_text(client); });
    return;
  }
  if (word.name == "stats") {
    const auto interval =
        parse_duration_ms("--interval", arguments.value("interval").value_or("1s"));
    print_stats(client, milliseconds(interval), json);
    return;
  }
  const auto answer = ask(client, ctl_command_text(word, words));
  if (arguments.has("wait") && (word.name == "terminate" || word.name == "drain")) {
    wait_for_stop(client, words.size() > 1 ? words[1] : std::string{});
  }
  const std::string text = !answer ? "sent" : answer->empty() ? std::string(word.said) : *answer;
  print(json ? result_json("result", text) : text + '\n');
}

ExitCode complain(const char* what, const std::string& text, bool json, ExitCode code) {
  if (json) print(result_json("error", text));
  std::fprintf(stderr, "sluice ctl: %s%s\n", what, text.c_str());
  return code;
}

}  // namespace

const CommandSpec& ctl_spec() {
  static const std::vector<OptionSpec> options{
      {"endpoint", 'e', "ENDPOINT",
       "the control socket, for example ipc:///run/sluice/control.sock"},
      {"config", 'c', "FILE", "the configuration whose [control] names it"},
      {"json", '\0', {}, "JSON instead of text"},
      {"secret", '\0', "FILE", "our CURVE key, as `sluice keygen` makes it"},
      {"server-key", '\0', "FILE", "the sidecar's public key; from -c FILE if that can be read"},
      {"timeout", '\0', "TIME", "how long to wait for an answer; 2s unless given, 10s for reload"},
      {"wait", '\0', {}, "terminate, drain: return when it has stopped"},
      {"interval", '\0', "TIME", "stats, top: between two samples; 1s unless given"},
      {"count", '\0', "N", "top: end after so many intervals"},
      {"for", '\0', "TIME", "top: end after this time"}};
  static const std::string details =
      "commands:\n" + ctl_words_help() +
      "\n`sluice ctl COMMAND --help` tells more. The endpoint is that of -e, else of "
      "SLUICE_CONTROL,\n"
      "else of -c FILE, else of /etc/sluice/sluice.ini. Exits with 1 when refused, 69 when nobody\n"
      "answers.\n\n"
      "examples:\n"
      "  sluice ctl -e ipc:///run/sluice/control.sock stats\n"
      "  sluice ctl top                                 watch, in another terminal:\n"
      "  sluice ctl set route.market.coalesce_delay 1ms\n"
      "  sluice ctl top --json --count 10 > top.jsonl   one line an interval\n"
      "  sluice ctl drain --wait --timeout 10s\n";
  static const CommandSpec spec{
      "ctl",
      "steer a running sidecar",
      "[-e ENDPOINT | -c FILE] [--json] COMMAND",
      options,
      details,
      true,
      [](const std::string& word) { return ctl_word_help(word, options); }};
  return spec;
}

ExitCode ctl_command(const Arguments& arguments) {
  const CtlWord& word = find_word(arguments.words());
  static_cast<void>(ctl_command_text(word, arguments.words()));
  const milliseconds timeout(parse_duration_ms(
      "--timeout", arguments.value("timeout").value_or(word.name == "reload" ? "10s" : "2s")));
  const bool json = arguments.has("json");
  try {
    ControlTarget target = find_control(arguments.value("endpoint"), std::getenv("SLUICE_CONTROL"),
                                        arguments.value("config"));
    use_curve(target, arguments.value("secret"), arguments.value("server-key"));
    ControlClient client(target, timeout);
    carry_out(word, arguments.words(), arguments, client);
    return ExitCode::done;
  } catch (const Unreachable& e) {
    return complain("", e.what(), json, ExitCode::unreachable);
  } catch (const Refused& e) {
    return complain("refused: ", e.what(), json, ExitCode::failure);
  } catch (const top::NoRoute& e) {
    return complain("", e.what(), json, ExitCode::failure);
  }
}

}  // namespace sluice::app
