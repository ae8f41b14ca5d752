// SPDX-License-Identifier: Apache-2.0
#include "core/route/options_check.hpp"

#include <sluice/error.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace sluice::core {
namespace {

using namespace std::chrono_literals;

RouteOptions good() {
  RouteOptions options;
  SourceOptions source;
  source.name = "in";
  source.bind = {"inproc://in"};
  options.sources = {source};
  SinkOptions sink;
  sink.name = "out";
  sink.bind = {"tcp://*:*"};
  options.sinks = {sink};
  return options;
}

struct Case {
  const char* field;
  std::function<void(RouteOptions&)> spoil;
};

TEST(OptionsCheck, accepts_the_defaults) {
  EXPECT_NO_THROW(check(good()));
}

TEST(OptionsCheck, names_the_field_that_is_wrong) {
  const Case cases[] = {
      {"route.name", [](auto& o) { o.name = "Not A Name"; }},
      {"route.name", [](auto& o) { o.name = std::string(33, 'a'); }},
      {"route.default.inbound_poll_rate", [](auto& o) { o.tuning.inbound_poll_rate = 0; }},
      {"route.default.inbound_poll_rate",
       [](auto& o) { o.tuning.inbound_poll_rate = 2'000'000'000; }},
      {"route.default.max_command_delay", [](auto& o) { o.tuning.max_command_delay = -1ms; }},
      {"route.default.max_command_delay", [](auto& o) { o.tuning.max_command_delay = 11s; }},
      {"route.default.coalesce_delay", [](auto& o) { o.tuning.coalesce_delay = 101ms; }},
      {"route.default.coalesce_delay",
       [](auto& o) {
         o.tuning.mode = TuningMode::adaptive;
         o.tuning.coalesce_delay = 1ms;
       }},
      {"route.default.latency_budget", [](auto& o) { o.tuning.latency_budget = 0s; }},
      {"route.default.linger", [](auto& o) { o.linger = -1ms; }},
      {"route.default.max_topic", [](auto& o) { o.max_topic = 8193; }},
      {"route.default.sinks", [](auto& o) { o.sinks.clear(); }},
      {"route.default.subscribe", [](auto& o) { o.subscribe = {std::string(5000, 't')}; }},
      {"source.in.name", [](auto& o) { o.sources.push_back(o.sources[0]); }},
      {"source.in.bind", [](auto& o) { o.sources[0].bind = {"nothing"}; }},
      {"source.in.recv_hwm", [](auto& o) { o.sources[0].recv_hwm = -1; }},
      {"sink.out.name", [](auto& o) { o.sinks.push_back(o.sinks[0]); }},
      {"sink.out.bind", [](auto& o) { o.sinks[0].bind.clear(); }},
      {"sink.out.bind", [](auto& o) { o.sinks[0].bind = {"tcp://"}; }},
      {"sink.out.send_hwm", [](auto& o) { o.sinks[0].send_hwm = -5; }},
      {"sink.out.on_full",
       [](auto& o) {
         o.sinks[0].engine = Engine::zmq;
         o.sinks[0].on_full = OnFull::disconnect;
       }},
      {"sink.out.engine",
       [](auto& o) {
         o.sinks[0].engine = Engine::native;
         o.sinks[0].bind = {"inproc://x"};
       }},
      {"tap.tap.bind",
       [](auto& o) {
         o.tap.emplace();
         o.tap->bind = {"x"};
       }},
  };
  for (const auto& c : cases) {
    auto options = good();
    c.spoil(options);
    try {
      check(options);
      ADD_FAILURE() << c.field << " was accepted";
    } catch (const ConfigError& e) {
      EXPECT_EQ(e.field(), c.field) << e.what();
    }
  }
}

}  // namespace
}  // namespace sluice::core
