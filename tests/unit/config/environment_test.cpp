// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

namespace sluice::config {
namespace {

using test::k_small;

LoadedConfig with(const std::string& name, const std::string& text,
                  const std::string& file = k_small) {
  Sources from = test::sources(file);
  from.env = {{name, text}};
  return test::loaded(from);
}

std::string warning(const std::string& name, const std::string& file = k_small) {
  const LoadedConfig config = with(name, "1", file);
  return config.warnings.empty() ? "" : config.warnings.front().to_string();
}

TEST(Environment, KindAndNameMayBeDropped) {
  for (const char* name :
       {"SLUICE_ROUTE_MARKET_INBOUND_POLL_RATE", "SLUICE_ROUTE_INBOUND_POLL_RATE",
        "SLUICE_MARKET_INBOUND_POLL_RATE", "SLUICE_INBOUND_POLL_RATE"}) {
    const LoadedConfig config = with(name, "77");
    EXPECT_EQ(config.routes.at(0).tuning.inbound_poll_rate, 77U) << name;
    EXPECT_EQ(test::origin(config, "route.market.inbound_poll_rate"), std::string("env ") + name);
    EXPECT_TRUE(config.warnings.empty());
  }
}

TEST(Environment, DashesBecomeUnderscores) {
  const LoadedConfig config =
      with("SLUICE_SINK_MY_EDGE_SEND_HWM", "9", "[sink my-edge]\nbind = ipc:///x\n[generator]\n");
  EXPECT_EQ(config.routes.at(0).sinks.at(0).send_hwm, 9);
}

TEST(Environment, ASingleSectionMayBeMade) {
  const LoadedConfig config = with("SLUICE_CONTROL_BIND", "ipc:///a ipc:///b");
  ASSERT_TRUE(config.control.has_value());
  EXPECT_EQ(config.control->bind, (std::vector<std::string>{"ipc:///a", "ipc:///b"}));
  EXPECT_FALSE(with("SLUICE_LOG_LEVEL", "debug").control.has_value());
}

TEST(Environment, UnknownOnesAreWarnings) {
  EXPECT_EQ(warning("SLUICE_SERVICE_HOST"),
            "env SLUICE_SERVICE_HOST: names no setting; it is not used");
  EXPECT_EQ(warning("SLUICE_LINGR"),
            "env SLUICE_LINGR: names no setting; it is not used; did you mean SLUICE_LINGER?");
}

TEST(Environment, AmbiguousOnesAreWarnings) {
  EXPECT_EQ(warning("SLUICE_MODE"),
            "env SLUICE_MODE: may mean source.feed.mode or sink.edge.mode; it is not used");
}

TEST(Environment, TheProgramsOwnAreKnown) {
  for (const char* name : {"SLUICE_CONTROL", "SLUICE_TRACE_OUT", "SLUICE_ON_SIGNAL",
                           "SLUICE_TEST_X", "PATH", "SLUICED"}) {
    EXPECT_EQ(warning(name), "") << name;
  }
}

TEST(Environment, BadValuesAreErrors) {
  Sources from = test::sources(k_small);
  from.env = {{"SLUICE_LINGER", "-1"}};
  EXPECT_EQ(test::errors_of(from),
            "env SLUICE_LINGER: linger = -1: not a number; allowed: 0 to 3600s\n");
}

}  // namespace
}  // namespace sluice::config
