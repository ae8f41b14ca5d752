// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/feed/feeds.hpp"
#include "app/log/log.hpp"
#include "app/routes/route_set.hpp"
#include "app/settings/live_settings.hpp"
#include "app/sidecar/steering.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>
#include <zmq.hpp>

#include <optional>
#include <stdexcept>
#include <string>

namespace sluice::app {

/// Routes "one" and "two" as the sidecar wires them, running.
class TwoRoutes : public testing::Test {
 protected:
  /// With `sections` besides, and `sink_keys` in either sink.
  explicit TwoRoutes(const std::string& sections = {}, const std::string& sink_keys = {}) {
    config::Sources sources;
    sources.path = "test.ini";
    sources.use_text = true;
    sources.text = "[route one]\n[route two]\n" + sections;
    for (const std::string name : {"one", "two"}) {
      sources.text += "[source " + name + "s]\nroute = " + name +
                      "\nbind = " + scratch.ipc(name + ".in") + "\n[sink " + name +
                      "k]\nroute = " + name + "\n" + sink_keys +
                      "bind = " + scratch.ipc(name + ".out") + "\n";
    }
    auto loaded = config::load(sources);
    if (const auto* errors = std::get_if<config::Errors>(&loaded)) {
      throw std::runtime_error(errors->front().to_string());
    }
    const auto& config = std::get<config::LoadedConfig>(loaded);
    routes.emplace(context, config, log);
    settings.emplace(sources, config,
                     [this](const config::LoadedConfig& next) { routes->apply(next); });
    routes->start();
    feeds.emplace(context, config, log);
    steering.emplace(*routes, *feeds, *settings, log);
  }

  RouteState state(const char* route) { return routes->find(route)->state(); }

  test::ScratchDirectory scratch;
  zmq::context_t context;
  Log log{{.format = config::LogFormat::text, .level = config::LogLevel::error}};
  std::optional<RouteSet> routes;
  std::optional<LiveSettings> settings;
  std::optional<Feeds> feeds;
  std::optional<Steering> steering;
};

}  // namespace sluice::app
