// SPDX-License-Identifier: Apache-2.0
#include "app/command/commands.hpp"
#include "app/load/report.hpp"
#include "app/process/signals.hpp"
#include "app/terminal/progress_bar.hpp"
#include "app/terminal/text_table.hpp"

#include <zmq.hpp>

#include <cstdio>

namespace sluice::app {
namespace {

std::string line(const load::Progress& p, const load::Options& options) {
  if (p.done == 0) return "waiting for the other side";
  std::string out;
  if (!options.publish.empty()) out += "sent " + grouped(p.sent) + "  ";
  if (!options.subscribe.empty()) out += "received " + grouped(p.received);
  return out;
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

ExitCode finish(const Arguments& arguments, const load::Options& options,
                const load::Result& result) {
  if (arguments.has("json")) {
    print(report_json(options, result));
  } else if (arguments.has("csv")) {
    print(report_csv(options, result));
  } else {
    print(report_text(options, result));
  }
  return arguments.has("fail-on-loss") && !result.clean() ? ExitCode::failure : ExitCode::done;
}

}  // namespace

const CommandSpec& load_spec() {
  static const std::vector<OptionSpec> options = load::option_specs();
  static const CommandSpec spec{
      "load", "generate load for any ZeroMQ endpoint, and measure what arrives",
      "--publish ENDPOINT | --subscribe ENDPOINT | both [options]", options,
      "Messages are numbered for each publisher and topic and carry the time at which they were\n"
      "due: latency is counted from then, also when they were sent late. With --publish and\n"
      "--subscribe the load starts once every subscriber is reached from every publisher, and\n"
      "every message is accounted for; a subscriber alone joins what passes, from another\n"
      "`sluice load` or a sidecar's generators. Latency between two machines is as good as their\n"
      "clocks agree.\n\n"
      "Exits with 1 for --fail-on-loss, 64 for a wrong command line, 69 when nobody appears on\n"
      "the other side in time. INT and TERM end it early, with its report.\n\n"
      "examples:\n"
      "  sluice load -p ipc:///run/sluice/in.sock -s tcp://127.0.0.1:5556 --rate 50k\n"
      "  sluice load -s tcp://127.0.0.1:5556 --subscribers 10 --for 1m\n"
      "  sluice load -p @tcp://127.0.0.1:5556 -s tcp://127.0.0.1:5556    no proxy at all\n"
      "  sluice load -p tcp://10.0.0.5:5555 --rate 0 --count 1M --topics eur,usd --frames 2\n"};
  return spec;
}

ExitCode load_command(const Arguments& arguments) {
  const load::Options options = load::parse_options(arguments);
  Signals signals;  // before there is any other thread
  ProgressBar bar(!arguments.has("quiet"));
  try {
    const load::Result result = load::run_load(options, [&](const load::Progress& progress) {
      bar.show(progress.done, line(progress, options));
      return !signals.next();
    });
    bar.clear();
    return finish(arguments, options, result);
  } catch (const load::NobodyThere& e) {
    bar.clear();
    std::fprintf(stderr, "sluice load: %s\n", e.what());
    return ExitCode::unreachable;
  } catch (const zmq::error_t& e) {
    bar.clear();
    std::fprintf(stderr, "sluice load: cannot open an endpoint: %s\n", e.what());
    return ExitCode::failure;
  }
}

}  // namespace sluice::app
