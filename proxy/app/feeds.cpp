// SPDX-License-Identifier: Apache-2.0
#include "app/feeds.hpp"

#include <algorithm>

namespace sluice::app {

std::string feed_endpoint(std::string_view route) {
  return "inproc://" + std::string(route) + ".generated";
}

bool has_feeds(const config::LoadedConfig& config, std::string_view route) {
  const auto belongs = [route](const auto& feed) { return feed.route == route; };
  return std::any_of(config.generators.begin(), config.generators.end(), belongs) ||
         std::any_of(config.plugins.begin(), config.plugins.end(), belongs);
}

Feeds::Feeds(zmq::context_t& context, const config::LoadedConfig& config, Log& log) {
  for (const config::GeneratorOptions& options : config.generators) {
    m_generators.push_back(
        std::make_unique<Generator>(context, options, feed_endpoint(options.route)));
  }
  for (const config::PluginOptions& options : config.plugins) {
    m_plugins.push_back(std::make_unique<PluginThread>(context.handle(), options,
                                                       PluginLibrary::open(options.path),
                                                       feed_endpoint(options.route), log));
  }
}

void Feeds::request_stop(std::string_view route) noexcept {
  const auto belongs = [route](const std::string& name) { return route.empty() || route == name; };
  for (const auto& generator : m_generators) {
    if (belongs(generator->options().route)) generator->request_stop();
  }
  for (const auto& plugin : m_plugins) {
    if (belongs(plugin->options().route)) plugin->request_stop();
  }
}

void Feeds::join_generators() {
  for (const auto& generator : m_generators) generator->join();
}

void Feeds::join_plugins(const std::function<void(const std::string&)>& about_to_wait) {
  for (const auto& plugin : m_plugins) {
    about_to_wait(plugin->options().name);
    plugin->join();
  }
}

void Feeds::log_totals(Log& log) const {
  for (const auto& generator : m_generators) {
    log.write(Severity::info,
              "generator " + generator->options().name + ": " + std::to_string(generator->sent()) +
                  " messages sent, " + std::to_string(generator->skipped()) + " skipped",
              generator->options().route);
  }
}

}  // namespace sluice::app
