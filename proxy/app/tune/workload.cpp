// SPDX-License-Identifier: Apache-2.0
#include "app/tune/workload.hpp"

#include "app/feed/payload.hpp"
#include "app/terminal/text_table.hpp"
#include "app/top/history.hpp"
#include "config/value.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::app::tune {
namespace {

constexpr std::uint64_t k_most_rate = 100'000'000;
constexpr unsigned k_most_subscribers = 50;
constexpr unsigned k_most_publishers = 16;

std::optional<std::int64_t> number(const Arguments& arguments, std::string_view option,
                                   config::Type type, std::int64_t min, std::int64_t max) {
  const auto text = arguments.value(option);
  if (!text) return {};
  const std::string key = "--" + std::string(option);
  const config::Setting setting{.key = key, .type = type, .min = min, .max = max};
  try {
    return std::get<std::int64_t>(config::parse_value(setting, *text).front());
  } catch (const config::BadValue& e) {
    throw UsageError(e.what());
  }
}

const RouteOptions* find_route(const config::LoadedConfig& config, const std::string& name) {
  for (const RouteOptions& route : config.routes) {
    if (route.name == name) return &route;
  }
  return nullptr;
}

}  // namespace

std::optional<Observed> observe(const std::string& before, const std::string& after,
                                const std::string& route) {
  top::History history;
  history.add(top::read_sample(before), 0);
  history.add(top::read_sample(after), 1);
  const auto passed = history.last(route);
  const top::RouteSample* now = history.latest().find(route);
  if (!passed || now == nullptr || passed->messages == 0) return {};
  Observed out;
  out.messages_per_s = passed->messages_per_s();
  out.bytes_per_message =
      static_cast<double>(passed->bytes) / static_cast<double>(passed->messages);
  out.subscribers = now->peers();
  return out;
}

Wanted wanted_workload(const Arguments& arguments) {
  using config::Type;
  Wanted out;
  if (const auto n = number(arguments, "rate", Type::count, 1, k_most_rate)) {
    out.rate = static_cast<std::uint64_t>(*n);
  }
  if (const auto n = number(arguments, "size", Type::size, 1, 16 << 20)) {
    out.size = static_cast<std::size_t>(*n);
  }
  if (const auto n = number(arguments, "publishers", Type::count, 1, k_most_publishers)) {
    out.publishers = static_cast<unsigned>(*n);
  }
  if (const auto n = number(arguments, "subscribers", Type::count, 1, k_most_subscribers)) {
    out.subscribers = static_cast<unsigned>(*n);
  }
  if (const auto n = number(arguments, "burst", Type::count, 1, 100'000)) {
    out.burst = static_cast<std::uint64_t>(*n);
  }
  return out;
}

Workload make_workload(const Wanted& wanted, const std::optional<Observed>& observed,
                       const config::LoadedConfig& config, const std::string& route) {
  Workload w;
  if (const RouteOptions* options = find_route(config, route); options != nullptr) {
    for (const SinkOptions& sink : options->sinks) {
      for (const std::string& endpoint : sink.bind) w.tcp = w.tcp || endpoint.starts_with("tcp://");
      for (const std::string& endpoint : sink.connect) {
        w.tcp = w.tcp || endpoint.starts_with("tcp://");
      }
    }
  }
  std::uint64_t generated = 0;
  std::size_t generated_size = 0;
  unsigned generators = 0;
  for (const config::GeneratorOptions& g : config.generators) {
    if (g.route != route) continue;
    ++generators;
    generated += g.rate;
    generated_size = std::max(generated_size, g.size);
  }
  if (observed) {
    w.rate = std::clamp<std::uint64_t>(
        static_cast<std::uint64_t>(std::llround(observed->messages_per_s)), 1, k_most_rate);
    w.size = static_cast<std::size_t>(std::llround(observed->bytes_per_message));
    w.notes.push_back("the running proxy passes " + grouped(w.rate) + " messages/s of " +
                      grouped(w.size) + " bytes to " + grouped(observed->subscribers) +
                      " subscribers");
    w.subscribers = static_cast<unsigned>(
        std::clamp<std::uint64_t>(observed->subscribers, 1, k_most_subscribers));
    if (observed->subscribers > k_most_subscribers) {
      w.notes.push_back("measured with " + grouped(k_most_subscribers) + " of them");
    }
  } else if (generators > 0 && generated > 0) {
    w.rate = std::min(generated, k_most_rate);
    w.size = generated_size;
    w.notes.push_back("the file's generators send " + grouped(w.rate) + " messages/s of " +
                      grouped(w.size) + " bytes");
  } else if (!wanted.rate) {
    w.notes.push_back("no running proxy with traffic was found: " + grouped(w.rate) +
                      " messages/s are assumed; say --rate, --size and --subscribers");
  }
  if (generators > 0) w.publishers = std::min(generators, k_most_publishers);
  w.rate = wanted.rate.value_or(w.rate);
  w.size = wanted.size.value_or(w.size);
  w.publishers = wanted.publishers.value_or(w.publishers);
  w.subscribers = wanted.subscribers.value_or(w.subscribers);
  w.burst = wanted.burst.value_or(w.burst);
  constexpr std::size_t k_topic = 1;
  if (w.size < k_payload_size + k_topic) {
    w.size = k_payload_size + k_topic;
    w.notes.push_back("measured with messages of " + grouped(w.size) +
                      " bytes: smaller ones cannot carry their number and time");
  }
  return w;
}

}  // namespace sluice::app::tune
