// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

namespace sluice::config {
namespace {

using test::get;
using test::k_small;

std::string refusal(const LoadedConfig& config, const std::string& path, const std::string& text) {
  const LoadResult result = with_value(config, path, text);
  const auto* errors = std::get_if<Errors>(&result);
  return errors == nullptr ? std::string{} : test::lines(*errors);
}

TEST(Keys, GetTakesShortPaths) {
  const LoadedConfig config = test::loaded(k_small);
  EXPECT_EQ(get(config, "route.market.inbound_poll_rate"), "1000");
  EXPECT_EQ(get(config, "inbound_poll_rate"), "1000");
  EXPECT_EQ(get(config, "log.level"), "info");
  EXPECT_EQ(get(config, "sink.edge.send_hwm_bytes"), "64MiB");
  EXPECT_EQ(get(config, "sink.edge.connect"), "");
}

TEST(Keys, UnknownPathsNameTheNearest) {
  const LoadedConfig config = test::loaded(k_small);
  EXPECT_EQ(get(config, "market.inbond_poll_rate"),
            "? no setting 'market.inbond_poll_rate'; did you mean market.inbound_poll_rate?");
  EXPECT_EQ(get(config, "route.markt.linger"),
            "? no setting 'route.markt.linger'; did you mean route.market.linger?");
  EXPECT_EQ(get(config, ""), "? no setting ''");
  EXPECT_EQ(get(config, "a.b.c.d"), "? no setting 'a.b.c.d'");
  EXPECT_EQ(get(config, "bind"),
            "? 'bind' may mean source.feed.bind or sink.edge.bind; write one of them");
}

TEST(Keys, SetGivesACheckedCopy) {
  const LoadedConfig config = test::loaded(k_small);
  const LoadResult result = with_value(config, "inbound_poll_rate", "10k");
  ASSERT_TRUE(std::holds_alternative<LoadedConfig>(result));
  const auto& after = std::get<LoadedConfig>(result);
  EXPECT_EQ(after.routes.at(0).tuning.inbound_poll_rate, 10'000U);
  EXPECT_EQ(test::origin(after, "route.market.inbound_poll_rate"), "SET");
  EXPECT_EQ(config.routes.at(0).tuning.inbound_poll_rate, 1000U);
}

TEST(Keys, SetRefusesByName) {
  const LoadedConfig config = test::loaded(k_small);
  EXPECT_EQ(refusal(config, "inbound_poll_rate", "0"),
            "SET: inbound_poll_rate = 0: out of range; allowed: 1 to 1000000000\n");
  EXPECT_EQ(refusal(config, "subscribe", "a"),
            "SET: route.market.subscribe: (none) -> a cannot be changed while it runs; change "
            "the file and reload\n");
  EXPECT_EQ(refusal(config, "process.io_threads", "2"),
            "SET: process.io_threads: 1 -> 2 cannot be changed while it runs; change the file "
            "and restart\n");
  EXPECT_EQ(refusal(config, "nothing", "2"), "SET: no setting 'nothing'\n");
}

TEST(Keys, SetChecksCombinations) {
  const LoadedConfig config = test::loaded("coalesce_delay = 1ms\n" + k_small);
  EXPECT_TRUE(refusal(config, "tuning", "adaptive")
                  .starts_with("t.ini:1: coalesce_delay and tuning = adaptive exclude each other"));
}

TEST(Keys, OnFullIsLiveBetweenDropAndDisconnectOnly) {
  const LoadedConfig native = test::loaded(k_small + "engine = native\n");
  EXPECT_EQ(refusal(native, "on_full", "disconnect"), "");
  EXPECT_NE(refusal(native, "on_full", "block"), "");
  const LoadedConfig zmq = test::loaded(k_small + "engine = zmq\n");
  EXPECT_NE(refusal(zmq, "on_full", "block"), "");
  EXPECT_EQ(refusal(zmq, "on_full", "drop"), "");
}

}  // namespace
}  // namespace sluice::config
