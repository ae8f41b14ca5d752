// SPDX-License-Identifier: Apache-2.0
#include "config/value.hpp"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

using namespace std::string_literals;

std::string echo(Kind kind, std::string_view key, std::string_view text) {
  const Setting& setting = *find_setting(kind, key);
  try {
    std::string out;
    for (const Scalar& value : parse_value(setting, text)) {
      out += (out.empty() ? "" : "|") + format_value(setting, value);
    }
    return out;
  } catch (const BadValue& bad) {
    return bad.what();
  }
}

TEST(Value, P_09_KnobsAreEchoedOrRefusedWithTheRange) {
  const auto rate = [](std::string_view text) {
    return echo(Kind::route, "inbound_poll_rate", text);
  };
  const std::string allowed = "; allowed: 1 to 1000000000";
  EXPECT_EQ(rate("1"), "1");
  EXPECT_EQ(rate("1000"), "1000");
  EXPECT_EQ(rate("1G"), "1000000000");
  EXPECT_EQ(rate("0"), "inbound_poll_rate = 0: out of range" + allowed);
  EXPECT_EQ(rate("-1"), "inbound_poll_rate = -1: not a number" + allowed);
  EXPECT_EQ(rate("abc"), "inbound_poll_rate = abc: not a number" + allowed);
  EXPECT_EQ(rate(""), "inbound_poll_rate is empty: not a number" + allowed);
  EXPECT_EQ(rate("9223372036854775808"),
            "inbound_poll_rate = 9223372036854775808: too large" + allowed);
  const auto delay = [](std::string_view text) {
    return echo(Kind::route, "max_command_delay", text);
  };
  EXPECT_EQ(delay("0"), "0");
  EXPECT_EQ(delay("10s"), "10s");
  EXPECT_EQ(delay("11s"), "max_command_delay = 11s: out of range; allowed: 0 to 10s");
  EXPECT_EQ(delay("1"),
            "max_command_delay = 1: needs a unit, as in 500us, 1ms, 2s; allowed: 0 to 10s");
  const auto hold = [](std::string_view text) { return echo(Kind::route, "coalesce_delay", text); };
  EXPECT_EQ(hold("100ms"), "100ms");
  EXPECT_EQ(hold("101ms"), "coalesce_delay = 101ms: out of range; allowed: 0 to 100ms");
}

TEST(Value, Choices) {
  EXPECT_EQ(echo(Kind::sink, "on_full", "block"), "block");
  EXPECT_EQ(echo(Kind::sink, "on_full", "blok"),
            "on_full = blok: did you mean block?; allowed: drop, block or disconnect");
  EXPECT_EQ(echo(Kind::sink, "nodelay", "on"), "yes");
  EXPECT_EQ(echo(Kind::sink, "nodelay", "perhaps"),
            "nodelay = perhaps: not a switch; allowed: yes or no");
}

TEST(Value, Unlimited) {
  EXPECT_EQ(echo(Kind::source, "max_message_size", "unlimited"), "unlimited");
  EXPECT_EQ(echo(Kind::source, "max_message_size", "1MiB"), "1MiB");
  EXPECT_EQ(echo(Kind::source, "recv_hwm", "unlimited"), "0");
  EXPECT_EQ(echo(Kind::source, "recv_hwm", "1"), "1");
}

TEST(Value, WholeMilliseconds) {
  EXPECT_EQ(echo(Kind::route, "linger", "500us"),
            "linger = 500us: not whole milliseconds; allowed: 0 to 3600s");
}

TEST(Value, S_12_TopicsAreBytes) {
  const Setting& topic = *find_setting(Kind::route, "subscribe");
  EXPECT_EQ(std::get<std::string>(parse_value(topic, R"("\x00")").front()), "\0"s);
  EXPECT_EQ(std::get<std::string>(parse_value(topic, R"(\xff\x00\xff)").front()), "\xff\0\xff"s);
  EXPECT_EQ(std::get<std::string>(parse_value(topic, "\"\"").front()), "");
  EXPECT_EQ(echo(Kind::route, "subscribe", R"(\x00\x01)"), R"("\x00\x01")");
}

TEST(Value, Lists) {
  EXPECT_EQ(echo(Kind::generator, "topics", R"(a, b,"c,d")"), R"(a|b|"c,d")");
  EXPECT_EQ(echo(Kind::generator, "topics", ""), "");
}

TEST(Value, EveryDefaultIsAValueOfItsSetting) {
  for (const Setting& setting : settings()) {
    if (setting.standard.empty()) continue;
    EXPECT_NO_THROW({
      for (const Scalar& value : parse_value(setting, setting.standard)) {
        EXPECT_EQ(parse_value(setting, format_value(setting, value)).front(), value);
      }
    }) << setting.key;
  }
}

}  // namespace
}  // namespace sluice::config
