// SPDX-License-Identifier: Apache-2.0
#include "app/tune/advice.hpp"

#include "app/command/arguments.hpp"
#include "config/keys.hpp"
#include "config/text.hpp"

#include <algorithm>

namespace sluice::app::tune {
namespace {

const RouteOptions& route_of(const config::LoadedConfig& config, const std::string& name) {
  return *std::find_if(config.routes.begin(), config.routes.end(),
                       [&](const RouteOptions& r) { return r.name == name; });
}

bool native_can(const RouteOptions& route) {
  return std::all_of(route.sinks.begin(), route.sinks.end(),
                     [](const SinkOptions& sink) { return sink.connect.empty(); });
}

bool zmq_can(const RouteOptions& route) {
  return std::none_of(route.sinks.begin(), route.sinks.end(),
                      [](const SinkOptions& sink) { return sink.on_full == OnFull::disconnect; });
}

void add_if_new(const config::LoadedConfig& config, std::vector<config::NewValue>& out,
                const std::string& path, const std::string& text) {
  const config::KeyResult found = config::find_key(config, path);
  const auto& key = std::get<config::KeyRef>(found);
  // Compared as values, not as they are written.
  const config::Scalar wanted = config::parse_value(*key.setting, text).front();
  if (config::value_text(config, key) == config::format_value(*key.setting, wanted)) return;
  out.push_back({path, config::format_value(*key.setting, wanted)});
}

}  // namespace

Subject find_subject(const config::LoadedConfig& config, const std::string& wanted) {
  std::vector<std::string_view> names;
  for (const RouteOptions& route : config.routes) names.push_back(route.name);
  Subject out;
  if (wanted.empty()) {
    if (names.size() > 1) {
      throw UsageError("the file has several routes: say --route " + config::join_or(names));
    }
    out.route = names.front();
  } else if (std::find(names.begin(), names.end(), wanted) == names.end()) {
    throw UsageError("there is no route " + config::printable(wanted) +
                     config::did_you_mean(wanted, names));
  } else {
    out.route = wanted;
  }
  const RouteOptions& route = route_of(config, out.route);
  if (native_can(route)) out.engines.push_back(Engine::native);
  if (zmq_can(route)) out.engines.push_back(Engine::zmq);
  return out;
}

std::vector<config::NewValue> changes(const config::LoadedConfig& config, const Subject& subject,
                                      const Knobs& knobs) {
  std::vector<config::NewValue> out;
  const Tuning& t = knobs.tuning;
  const std::string route = "route." + subject.route + '.';
  add_if_new(config, out, route + "inbound_poll_rate", std::to_string(t.inbound_poll_rate));
  add_if_new(config, out, route + "max_command_delay", text_of(t.max_command_delay));
  add_if_new(config, out, route + "coalesce_delay", text_of(t.coalesce_delay));
  add_if_new(config, out, route + "tuning", to_string(t.mode));
  if (t.mode == TuningMode::adaptive) {
    add_if_new(config, out, route + "latency_budget", text_of(t.latency_budget));
  }
  const RouteOptions& options = route_of(config, subject.route);
  const Engine automatic = native_can(options) ? Engine::native : Engine::zmq;
  for (const SinkOptions& sink : options.sinks) {
    const Engine now = sink.engine == Engine::automatic ? automatic : sink.engine;
    if (now != knobs.engine) {
      add_if_new(config, out, "sink." + sink.name + ".engine", to_string(knobs.engine));
    }
  }
  return out;
}

}  // namespace sluice::app::tune
