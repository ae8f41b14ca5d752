// SPDX-License-Identifier: Apache-2.0
#include "app/feed/feeds.hpp"

#include <algorithm>
#include <utility>

namespace sluice::app {
namespace {

struct Feed {
  std::string name;
  std::string endpoint;
};

std::vector<Feed> feeds_of(const config::LoadedConfig& config, std::string_view route) {
  std::vector<Feed> feeds;
  const auto add = [&](const auto& list) {
    for (const auto& options : list) {
      if (options.route == route) feeds.push_back({options.name, endpoint_of(options)});
    }
  };
  add(config.generators);
  add(config.plugins);
  return feeds;
}

bool has_source(const RouteOptions& options, const std::string& name) {
  return std::any_of(options.sources.begin(), options.sources.end(),
                     [&](const SourceOptions& source) { return source.name == name; });
}

}  // namespace

std::string endpoint_of(const config::GeneratorOptions& generator) {
  return "inproc://" + generator.route + ".generator." + generator.name;
}

std::string endpoint_of(const config::PluginOptions& plugin) {
  return "inproc://" + plugin.route + ".plugin." + plugin.name;
}

RouteOptions with_feeds(RouteOptions options, const config::LoadedConfig& config) {
  for (Feed& from : feeds_of(config, options.name)) {
    SourceOptions feed;
    feed.name = from.name;
    for (int i = 2; has_source(options, feed.name); ++i) {
      feed.name = from.name.substr(0, 29) + '-' + std::to_string(i);
    }
    feed.bind = {std::move(from.endpoint)};
    options.sources.push_back(std::move(feed));
  }
  return options;
}

Feeds::Feeds(zmq::context_t& context, const config::LoadedConfig& config, Log& log)
    : m_context(context) {
  for (const config::GeneratorOptions& options : config.generators) {
    m_generators.push_back(std::make_unique<Generator>(context, options, endpoint_of(options)));
  }
  for (const config::PluginOptions& options : config.plugins) {
    m_plugins.push_back(std::make_unique<PluginThread>(
        context.handle(), options, PluginLibrary::open(options.path), endpoint_of(options), log));
  }
}

void Feeds::apply(const config::LoadedConfig& config) {
  const std::lock_guard lock(m_mutex);
  if (m_stopping) return;
  const auto wanted = [&config](const Generator& generator) {
    return std::find(config.generators.begin(), config.generators.end(), generator.options()) !=
           config.generators.end();
  };
  std::erase_if(m_generators, [&](const auto& generator) { return !wanted(*generator); });
  for (const config::GeneratorOptions& options : config.generators) {
    const bool there = std::any_of(m_generators.begin(), m_generators.end(),
                                   [&](const auto& g) { return g->options() == options; });
    if (there) continue;
    m_generators.push_back(std::make_unique<Generator>(m_context, options, endpoint_of(options)));
  }
}

void Feeds::request_stop(std::string_view route) noexcept {
  const std::lock_guard lock(m_mutex);
  if (route.empty()) m_stopping = true;
  const auto belongs = [route](const std::string& name) { return route.empty() || route == name; };
  for (const auto& generator : m_generators) {
    if (belongs(generator->options().route)) generator->request_stop();
  }
  for (const auto& plugin : m_plugins) {
    if (belongs(plugin->options().route)) plugin->request_stop();
  }
}

void Feeds::join_generators() {
  const std::lock_guard lock(m_mutex);
  for (const auto& generator : m_generators) generator->join();
}

void Feeds::join_plugins(const std::function<void(const std::string&)>& about_to_wait) {
  for (const auto& plugin : m_plugins) {
    about_to_wait(plugin->options().name);
    plugin->join();
  }
}

void Feeds::log_totals(Log& log) const {
  const std::lock_guard lock(m_mutex);
  for (const auto& generator : m_generators) {
    log.write(Severity::info,
              "generator " + generator->options().name + ": " + std::to_string(generator->sent()) +
                  " messages sent, " + std::to_string(generator->skipped()) + " skipped",
              generator->options().route);
  }
}

}  // namespace sluice::app
