// SPDX-License-Identifier: Apache-2.0
#include "app/load/options.hpp"

#include "app/feed/payload.hpp"
#include "config/config.hpp"
#include "config/text.hpp"

#include <algorithm>
#include <set>
#include <unistd.h>

namespace sluice::app::load {
namespace {

constexpr std::int64_t k_most = 1'000'000'000;

std::int64_t number(const Arguments& arguments, std::string_view option, config::Type type,
                    std::int64_t standard, std::int64_t min, std::int64_t max) {
  const auto text = arguments.value(option);
  if (!text) return standard;
  const std::string key = "--" + std::string(option);
  const config::Setting setting{.key = key, .type = type, .min = min, .max = max};
  try {
    return std::get<std::int64_t>(config::parse_value(setting, *text).front());
  } catch (const config::BadValue& e) {
    throw UsageError(e.what());
  }
}

std::chrono::milliseconds time(const Arguments& arguments, std::string_view option,
                               std::chrono::milliseconds standard) {
  const auto text = arguments.value(option);
  if (!text) return standard;
  return std::chrono::milliseconds(parse_duration_ms("--" + std::string(option), *text));
}

std::vector<Endpoint> endpoints(const Arguments& arguments, std::string_view option) {
  std::vector<Endpoint> out;
  for (const std::string& text : arguments.values(option)) {
    const bool bind = text.starts_with('@');
    const std::string address = bind || text.starts_with('>') ? text.substr(1) : text;
    if (!address.starts_with("tcp://") && !address.starts_with("ipc://")) {
      throw UsageError("--" + std::string(option) + ' ' + config::printable(text) +
                       ": expected tcp://host:port or ipc://path, with @ in front to bind");
    }
    out.push_back({address, bind});
  }
  return out;
}

std::vector<std::string> topics(const Arguments& arguments, std::string_view option,
                                std::vector<std::string> standard) {
  const auto text = arguments.value(option);
  if (!text) return standard;
  std::vector<std::string> out;
  try {
    for (const std::string_view one : config::split_quoted(*text, ',')) {
      out.push_back(config::unquote(one, true));
    }
  } catch (const config::BadValue& e) {
    throw UsageError("--" + std::string(option) + ": " + e.what());
  }
  return out;
}

/// Dots fill a message up behind its topic, so topics that differ in dots alone are one stream.
void check_distinct(const std::vector<std::string>& topics) {
  std::set<std::string> seen;
  for (std::string topic : topics) {
    topic.erase(topic.find_last_not_of('.') + 1);
    if (!seen.insert(topic).second) {
      throw UsageError("--topics: " + config::printable(topic) + " comes twice");
    }
  }
}

void check_bound_once(const std::vector<Endpoint>& list, unsigned sockets, const char* option) {
  const bool bound =
      std::any_of(list.begin(), list.end(), [](const Endpoint& e) { return e.bind; });
  if (bound && sockets > 1) {
    throw UsageError(std::string(option) + ": only one socket can bind an endpoint");
  }
}

}  // namespace

std::vector<OptionSpec> option_specs() {
  return {
      {"publish", 'p', "ENDPOINT", "publish there; @ENDPOINT binds; repeatable", true},
      {"subscribe", 's', "ENDPOINT", "receive from there; @ENDPOINT binds; repeatable", true},
      {"publishers", '\0', "N", "sockets that publish, each on a thread; 1 unless given"},
      {"subscribers", '\0', "N", "sockets that receive; 1 unless given"},
      {"rate", 'r', "N", "messages a second of all publishers; 10k unless given, 0 = flood"},
      {"burst", '\0', "N", "messages that are due at the same moment; 1 unless given"},
      {"size", '\0', "BYTES", "of a message; 100 unless given, 24 at least"},
      {"topics", '\0', "A,B,...", "what messages begin with, in turn; \"load\" unless given"},
      {"subscriptions", '\0', "A,B,...", "prefixes to subscribe to; everything unless given"},
      {"frames", '\0', "N", "frames of a message, the topic in all but the last; 1 unless given"},
      {"for", '\0', "TIME", "how long; 10s unless given"},
      {"count", 'n', "N", "end after so many messages instead (subscribers alone: each)"},
      {"wait", '\0', "TIME", "how long the other side may take to appear; 5s unless given"},
      {"hwm", '\0', "N", "high-water mark of each socket; 10k unless given, 0 = unlimited"},
      {"on-full", '\0', "wait|drop", "what a full publisher does; wait unless given"},
      {"fail-on-loss", '\0', {}, "exit with 1 when a message is lost or out of order"},
      {"json", '\0', {}, "the result as JSON"},
      {"csv", '\0', {}, "the result as CSV: a header and a row"},
      {"quiet", 'q', {}, "no progress bar"},
  };
}

Options parse_options(const Arguments& arguments) {
  using config::Type;
  Options o;
  o.publish = endpoints(arguments, "publish");
  o.subscribe = endpoints(arguments, "subscribe");
  if (o.publish.empty() && o.subscribe.empty()) {
    throw UsageError("nothing to do: give --publish ENDPOINT, --subscribe ENDPOINT or both");
  }
  const auto count = [&](std::string_view option, std::int64_t standard, std::int64_t min,
                         std::int64_t max) {
    return number(arguments, option, Type::count, standard, min, max);
  };
  o.publishers = static_cast<unsigned>(count("publishers", 1, 1, k_most_publishers));
  o.subscribers = static_cast<unsigned>(count("subscribers", 1, 1, k_most_subscribers));
  o.rate = static_cast<std::uint64_t>(count("rate", 10'000, 0, k_most));
  o.burst = static_cast<std::uint64_t>(count("burst", 1, 1, 1'000'000));
  o.frames = static_cast<unsigned>(count("frames", 1, 1, 1'000));
  o.hwm = static_cast<int>(count("hwm", 10'000, 0, k_most));
  o.size = static_cast<std::size_t>(number(arguments, "size", Type::size, 100,
                                           static_cast<std::int64_t>(k_payload_size), 1LL << 30));
  o.topics = topics(arguments, "topics", o.topics);
  o.subscriptions = topics(arguments, "subscriptions", o.subscriptions);
  check_distinct(o.topics);
  for (const std::string& topic : o.topics) {
    if (o.frames == 1 && topic.size() + k_payload_size > o.size) {
      throw UsageError("--size " + std::to_string(o.size) + ": the topic " +
                       config::printable(topic) + " and " + std::to_string(k_payload_size) +
                       " bytes of numbers do not fit");
    }
  }
  if (arguments.has("for") && arguments.has("count")) {
    throw UsageError("--for and --count exclude each other");
  }
  o.duration = time(arguments, "for", o.duration);
  if (arguments.has("count")) o.count = static_cast<std::uint64_t>(count("count", 1, 1, k_most));
  o.wait = time(arguments, "wait", o.wait);
  const std::string on_full = arguments.value("on-full").value_or("wait");
  if (on_full != "wait" && on_full != "drop") {
    throw UsageError("--on-full " + config::printable(on_full) + ": expected wait or drop");
  }
  o.drop = on_full == "drop";
  if (arguments.has("json") && arguments.has("csv")) {
    throw UsageError("--json and --csv exclude each other");
  }
  if (!o.publish.empty()) check_bound_once(o.publish, o.publishers, "--publishers");
  if (!o.subscribe.empty()) check_bound_once(o.subscribe, o.subscribers, "--subscribers");
  o.name = "load-" + std::to_string(::getpid());
  return o;
}

}  // namespace sluice::app::load
