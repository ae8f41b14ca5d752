// SPDX-License-Identifier: Apache-2.0
#include "app/command/commands.hpp"
#include "app/ctl/control_client.hpp"
#include "app/process/signals.hpp"
#include "app/settings/settings_source.hpp"
#include "app/terminal/progress_bar.hpp"
#include "app/tune/advice.hpp"
#include "config/replace_file.hpp"
#include "config/units.hpp"

#include <zmq.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace sluice::app {
namespace {

using namespace std::chrono_literals;

constexpr auto k_observed_for = 2s;

std::chrono::nanoseconds duration(const Arguments& arguments, std::string_view option,
                                  const char* standard, std::int64_t min, std::int64_t max) {
  const std::string key = "--" + std::string(option);
  const config::Setting setting{
      .key = key, .type = config::Type::duration, .min = min, .max = max, .step = 1'000};
  try {
    const std::string text = arguments.value(option).value_or(standard);
    return std::chrono::nanoseconds(
        std::get<std::int64_t>(config::parse_value(setting, text).front()));
  } catch (const config::BadValue& e) {
    throw UsageError(e.what());
  }
}

std::string status_of(ControlClient& client) {
  const auto frames = client.request("STATUS");
  if (!frames) throw Unreachable("this type of control socket does not answer");
  const std::string& text = frames->front();
  return text.starts_with("OK ") ? text.substr(3) : text;
}

/// What the running proxy of this configuration passes; nothing where none answers. Throws
/// Unreachable for an endpoint that was asked for.
std::optional<tune::Observed> observe_running(const Arguments& arguments,
                                              const std::string& route) {
  if (arguments.has("rate")) return {};
  const auto endpoint = arguments.value("endpoint");
  try {
    const ControlTarget target =
        find_control(endpoint, std::getenv("SLUICE_CONTROL"), arguments.value("config"), {});
    ControlClient client(target, endpoint ? 2s : 500ms);
    const std::string before = status_of(client);
    std::this_thread::sleep_for(k_observed_for);
    return tune::observe(before, status_of(client), route);
  } catch (const Unreachable&) {
    if (endpoint) throw;
    return {};
  }
}

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path);
  return text.str();
}

/// The text of -c FILE with the changes, in `path`.
void write_changes(const std::string& from, const std::string& path,
                   const std::vector<config::NewValue>& changes) {
  const auto result = config::with_lines(from, read_file(from), changes);
  if (const auto* errors = std::get_if<config::Errors>(&result)) {
    print_errors(*errors);
    throw ConfigurationFailed{};
  }
  const std::string backup = config::replace_file(path, std::get<std::string>(result));
  std::fprintf(stderr, "sluice tune: wrote %s%s%s\n", path.c_str(),
               backup.empty() ? "" : "; what was there is in ", backup.c_str());
}

const RouteOptions& route_of(const config::LoadedConfig& config, const std::string& name) {
  for (const RouteOptions& route : config.routes) {
    if (route.name == name) return route;
  }
  throw std::logic_error("no route " + name);
}

ExitCode tune_file(const Arguments& arguments, const config::LoadedConfig& config,
                   const tune::Wanted& wanted, const tune::Plan& asked) {
  tune::Report report;
  report.subject = tune::find_subject(config, arguments.value("route").value_or(""));
  report.budget = asked.budget;
  Signals signals;  // before there is any other thread
  ProgressBar bar(!arguments.has("quiet"));
  bar.show(0, "looking for the running proxy");
  report.workload = tune::make_workload(wanted, observe_running(arguments, report.subject.route),
                                        config, report.subject.route);
  tune::Plan plan = asked;
  plan.engines = report.subject.engines;
  double done = 0;
  std::string step;
  const auto began = std::chrono::steady_clock::now();
  tune::Trials trials(report.workload, route_of(config, report.subject.route), [&] {
    bar.show(done, step);
    return !signals.next();
  });
  report.findings = tune::search(plan, report.workload, trials, [&](double part, const auto& text) {
    done = part;
    step = text;
  });
  bar.clear();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  report.changes = tune::changes(config, report.subject, report.findings.recommended);
  const std::string text =
      arguments.has("json") ? tune::report_json(report) : tune::report_text(report);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  if (const auto path = arguments.value("write")) {
    write_changes(*arguments.value("config"), *path, report.changes);
  }
  return ExitCode::done;
}

}  // namespace

const CommandSpec& tune_spec() {
  static const std::vector<OptionSpec> options{
      {"config", 'c', "FILE", "the configuration to tune"},
      {"latency-budget", '\0', "TIME",
       "what p99 may be, of data and of commands; 2ms unless given"},
      {"write", '\0', "FILE", "write -c's text there with the lines of these settings changed"},
      {"route", '\0', "NAME", "which route, where the file has several"},
      {"endpoint", 'e', "ENDPOINT", "the running proxy's control socket, unless -c names it"},
      {"rate", 'r', "N", "messages a second, instead of what the running proxy passes"},
      {"size", '\0', "BYTES", "of a message"},
      {"publishers", '\0', "N", "4 unless given"},
      {"subscribers", '\0', "N", "as many as the running proxy has, 50 at most"},
      {"burst", '\0', "N", "messages of a publisher that come at the same moment; 1 unless given"},
      {"time", '\0', "TIME", "about how long to measure; 50s unless given"},
      {"json", '\0', {}, "JSON instead of tables"},
      {"quiet", 'q', {}, "no progress bar"}};
  static const CommandSpec spec{
      "tune", "measure settings with your workload, and recommend some",
      "-c FILE [--latency-budget TIME] [--write FILE] [options]", options,
      "The workload is that of the running proxy (its counters, over 2 s), or what the options\n"
      "say. It is measured on sidecars of its own, on this machine, with publishers over ipc; the\n"
      "running proxy is not touched, but shares the processors. Compared are both engines with no\n"
      "hold, holds of 1/16 to 1/2 of the latency budget and adaptive mode, all in turn, several\n"
      "times; then how often to look at commands, in floods. Recommended is what costs the least\n"
      "CPU for each message with p99 within the budget.\n\n"
      "--write keeps comments and everything else; where FILE exists it is copied to FILE.bak\n"
      "first. `sluice ctl reload` then applies it.\n\n"
      "examples:\n"
      "  sluice tune -c /etc/sluice/sluice.ini\n"
      "  sluice tune -c sluice.ini --latency-budget 1ms --write sluice.ini\n"
      "  sluice tune -c sluice.ini --rate 200k --size 60 --subscribers 10 --json\n"};
  return spec;
}

ExitCode tune_command(const Arguments& arguments) {
  const auto file = arguments.value("config");
  if (!file) throw UsageError("a configuration is needed: -c FILE");
  const tune::Wanted wanted = tune::wanted_workload(arguments);
  tune::Plan plan;
  plan.budget = duration(arguments, "latency-budget", "2ms", 10'000, 200'000'000);
  plan.time = std::chrono::duration_cast<std::chrono::milliseconds>(
      duration(arguments, "time", "50s", 1'000'000'000, 3'600'000'000'000));
  try {
    config::Sources sources;
    sources.path = *file;
    sources.env = config::process_environment();
    return tune_file(arguments, load_or_explain(sources), wanted, plan);
  } catch (const ConfigurationFailed&) {
    return ExitCode::configuration;
  } catch (const Unreachable& e) {
    std::fprintf(stderr, "sluice tune: %s\n", e.what());
    return ExitCode::unreachable;
  }
}

}  // namespace sluice::app
