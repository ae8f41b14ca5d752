// SPDX-License-Identifier: Apache-2.0
#include "app/command/commands.hpp"
#include "app/process/process_setup.hpp"
#include "app/settings/explain.hpp"
#include "app/settings/settings_source.hpp"
#include "app/sidecar/sidecar.hpp"

#include <sluice/version.hpp>

#include <zmq.h>

#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace sluice::app {
namespace {

constexpr unsigned long k_fewest_descriptors = 64;

std::string starting_text(const config::Sources& sources) {
  int major = 0;
  int minor = 0;
  int patch = 0;
  zmq_version(&major, &minor, &patch);
  return "starting: sluice " + std::string(version()) + ", libzmq " + std::to_string(major) + '.' +
         std::to_string(minor) + '.' + std::to_string(patch) + ", pid " +
         std::to_string(::getpid()) + ", configuration " +
         (sources.path.empty() ? "from the command line" : sources.path);
}

void warn_of_libzmq(Log& log) {
  int major = 0;
  int minor = 0;
  int patch = 0;
  zmq_version(&major, &minor, &patch);
  const std::string warning = libzmq_warning(major, minor, patch);
  if (!warning.empty()) log.warning(warning);
}

ExitCode run_sidecar(const config::Sources& sources, const config::LoadedConfig& config,
                     std::optional<std::chrono::milliseconds> duration) {
  free_small_messages_without_lock();
  Signals signals;  // before there is any other thread
  Log log(config.log);
  for (const config::Warning& warning : config.warnings) log.warning(warning.to_string());
  try {
    log.info(starting_text(sources));
    warn_of_libzmq(log);
    const unsigned long descriptors = raise_descriptor_limit();
    log.debug("descriptor limit " + std::to_string(descriptors));
    if (descriptors < k_fewest_descriptors) {
      // libzmq aborts when it cannot open what it needs for itself.
      throw std::runtime_error("the descriptor limit (RLIMIT_NOFILE) is " +
                               std::to_string(descriptors) + ": at least " +
                               std::to_string(k_fewest_descriptors) + " are needed");
    }
    const ConnectionShedding shedding(log);
    Sidecar sidecar(signals, log, sources, config);
    return sidecar.run(duration);
  } catch (const ConfigError& e) {
    print_errors({{{}, explain(e, config)}});
    return ExitCode::configuration;
  } catch (const EndpointError& e) {
    log.error("exit 1: cannot start: " + explain(e, config));
  } catch (const std::exception& e) {
    log.error(std::string("exit 1: cannot go on: ") + e.what());
  }
  return ExitCode::failure;
}

}  // namespace

const CommandSpec& run_spec() {
  static const std::vector<OptionSpec> options =
      with_settings_options({{"test", 't', {}, "check the configuration only, as `sluice check`"},
                             {"for", '\0', "TIME", "stop after this time, for example 10s"}});
  static const CommandSpec spec{
      "run", "forward messages until told to stop", "-c FILE [--set KEY=VALUE]... [--for TIME]",
      options,
      "Logs go to stderr; the line with \"ready\" comes once every endpoint is bound. Signals: "
      "TERM\n"
      "and INT drain within the linger and exit with 0, a second one leaves at once; HUP reloads,\n"
      "USR1 pauses, USR2 resumes.\n\n"
      "examples:\n"
      "  sluice run -c sluice.ini\n"
      "  sluice run -c sluice.ini --set route.market.coalesce_delay=1ms --for 10s\n"};
  return spec;
}

ExitCode run_command(const Arguments& arguments) {
  std::optional<std::chrono::milliseconds> duration;
  if (const auto text = arguments.value("for")) {
    duration = std::chrono::milliseconds(parse_duration_ms("--for", *text));
  }
  const config::Sources sources = settings_source(arguments);
  try {
    const config::LoadedConfig config = load_or_explain(sources);
    if (arguments.has("test")) {
      print_errors(config.warnings);
      return ExitCode::done;
    }
    return run_sidecar(sources, config, duration);
  } catch (const ConfigurationFailed&) {
    return ExitCode::configuration;
  }
}

}  // namespace sluice::app
