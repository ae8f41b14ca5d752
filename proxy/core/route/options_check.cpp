// SPDX-License-Identifier: Apache-2.0
#include "core/route/options_check.hpp"

#include "core/endpoint/endpoint_name.hpp"
#include "core/route/sink_factory.hpp"

#include <sluice/error.hpp>

#include <algorithm>
#include <chrono>
#include <set>

namespace sluice::core {
namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

constexpr std::size_t k_name_length = 32;
constexpr std::size_t k_sinks = 63;
constexpr std::size_t k_topic_limit = 8192;

void require(bool good, const std::string& field, const std::string& what) {
  if (!good) throw ConfigError(field, what);
}

template <typename T>
void in_range(T value, T low, T high, const std::string& field, const std::string& unit) {
  require(value >= low && value <= high, field,
          std::to_string(value) + " is out of range: " + std::to_string(low) + " to " +
              std::to_string(high) + unit);
}

void in_range(nanoseconds value, nanoseconds low, nanoseconds high, const std::string& field) {
  const auto us = [](nanoseconds d) {
    return static_cast<long long>(std::chrono::duration_cast<std::chrono::microseconds>(d).count());
  };
  in_range(us(value), us(low), us(high), field, " us");
}

void check_name(const std::string& name, const std::string& field) {
  const bool good = !name.empty() && name.size() <= k_name_length &&
                    std::all_of(name.begin(), name.end(), [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
                    });
  require(good, field, "\"" + name + "\" is not a name: 1 to 32 of a-z, 0-9 and -");
}

void check_endpoints(const std::vector<std::string>& endpoints, const std::string& field) {
  for (const auto& endpoint : endpoints) {
    require(
        transport_of(endpoint) != Transport::other && !address_of(endpoint).empty(), field,
        "\"" + endpoint + "\" is not an endpoint: inproc://name, ipc://path or tcp://host:port");
  }
}

// A CURVE socket is a server or a client.
template <typename Options>
void check_curve(const Options& options, const std::string& prefix) {
  const auto& curve = options.curve;
  if (curve.secret_key.empty()) return;
  const std::string field = prefix + "curve";
  require(curve.secret_key.size() == 40, field, "the secret key is not 40 characters");
  require(options.bind.empty() || options.connect.empty(), field, "either bind or connect");
  require(options.connect.empty() == curve.server_key.empty(), field,
          "a server key goes with connect, and connect with a server key");
}

void check_sink(const SinkOptions& sink, const std::string& prefix) {
  require(!sink.bind.empty() || !sink.connect.empty(), prefix + "bind", "a sink needs an endpoint");
  check_endpoints(sink.bind, prefix + "bind");
  check_endpoints(sink.connect, prefix + "connect");
  in_range(sink.send_hwm, 0, 1'000'000'000, prefix + "send_hwm", " messages");
  require(sink::engine_of(sink) == Engine::native || sink.on_full != OnFull::disconnect,
          prefix + "on_full",
          "disconnect needs engine native: libzmq cannot tell which subscriber is full");
  require(sink.engine != Engine::native || sink::native_can(sink), prefix + "engine",
          "native serves bound tcp and ipc endpoints only, without CURVE; use engine zmq");
  check_curve(sink, prefix);
}

}  // namespace

void check(const Tuning& tuning, const std::string& prefix) {
  in_range<std::uint32_t>(tuning.inbound_poll_rate, 1, 1'000'000'000, prefix + "inbound_poll_rate",
                          " messages");
  in_range(tuning.max_command_delay, 0ns, 10s, prefix + "max_command_delay");
  in_range(tuning.coalesce_delay, 0ns, 100ms, prefix + "coalesce_delay");
  in_range(tuning.latency_budget, 1us, 100ms, prefix + "latency_budget");
  require(tuning.mode == TuningMode::fixed || tuning.coalesce_delay == 0ns,
          prefix + "coalesce_delay", "must be 0 with tuning = adaptive, which sets it by itself");
}

void check(const RouteOptions& options) {
  check_name(options.name, "route.name");
  const std::string route = "route." + options.name + ".";
  check(options.tuning, route);
  in_range(nanoseconds{options.linger}, 0ns, 1h, route + "linger");
  in_range<std::size_t>(options.max_topic, 1, k_topic_limit, route + "max_topic", " bytes");
  require(!options.sinks.empty() && options.sinks.size() <= k_sinks, route + "sinks",
          "a route has 1 to " + std::to_string(k_sinks) + " sinks");
  for (const auto& topic : options.subscribe) {
    in_range<std::size_t>(topic.size(), 0, options.max_topic, route + "subscribe", " bytes");
  }
  std::set<std::string> names;
  for (const auto& source : options.sources) {
    check_name(source.name, "source.name");
    const std::string prefix = "source." + source.name + ".";
    require(names.insert("source." + source.name).second, prefix + "name", "is used twice");
    check_endpoints(source.bind, prefix + "bind");
    check_endpoints(source.connect, prefix + "connect");
    in_range(source.recv_hwm, 0, 1'000'000'000, prefix + "recv_hwm", " messages");
    check_curve(source, prefix);
  }
  for (const auto& sink : options.sinks) {
    check_name(sink.name, "sink.name");
    const std::string prefix = "sink." + sink.name + ".";
    require(names.insert("sink." + sink.name).second, prefix + "name", "is used twice");
    check_sink(sink, prefix);
  }
  if (options.tap) {
    check_endpoints(options.tap->bind, "tap." + options.tap->name + ".bind");
    check_endpoints(options.tap->connect, "tap." + options.tap->name + ".connect");
  }
}

}  // namespace sluice::core
