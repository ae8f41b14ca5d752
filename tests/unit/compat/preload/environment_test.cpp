// SPDX-License-Identifier: Apache-2.0
#include "compat/preload/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace sluice::compat {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

PreloadSettings read(std::map<std::string, std::string> environment) {
  return read_preload_settings([&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(Environment, EmptyMeansTheDefaults) {
  const auto settings = read({});
  EXPECT_EQ(settings.options.tuning, Tuning{});
  EXPECT_EQ(settings.options.max_topic, 4096U);
  EXPECT_FALSE(settings.options.continue_on_signal);
  EXPECT_THAT(settings.complaints, IsEmpty());
}

TEST(Environment, EveryVariable) {
  const auto settings = read({{"SLUICE_INBOUND_POLL_RATE", "100"},
                              {"SLUICE_MAX_COMMAND_DELAY", "2ms"},
                              {"SLUICE_COALESCE_DELAY", "500us"},
                              {"SLUICE_MAX_TOPIC", "8k"},
                              {"SLUICE_ON_SIGNAL", "continue"}});
  EXPECT_EQ(settings.options.tuning.inbound_poll_rate, 100U);
  EXPECT_EQ(settings.options.tuning.max_command_delay, 2ms);
  EXPECT_EQ(settings.options.tuning.coalesce_delay, 500us);
  EXPECT_EQ(settings.options.max_topic, 8192U);
  EXPECT_TRUE(settings.options.continue_on_signal);
  EXPECT_THAT(settings.complaints, IsEmpty());
}

TEST(Environment, BadValuesAreLeftOutAndNamed) {
  const auto settings = read({{"SLUICE_INBOUND_POLL_RATE", "0"},
                              {"SLUICE_MAX_COMMAND_DELAY", "2"},
                              {"SLUICE_COALESCE_DELAY", "3ms"},
                              {"SLUICE_MAX_TOPIC", "9k"},
                              {"SLUICE_ON_SIGNAL", "go"}});
  EXPECT_EQ(settings.options.tuning.inbound_poll_rate, 1000U);
  EXPECT_EQ(settings.options.tuning.coalesce_delay, 3ms);
  EXPECT_EQ(settings.options.max_topic, 4096U);
  EXPECT_FALSE(settings.options.continue_on_signal);
  EXPECT_THAT(settings.complaints, ElementsAre(HasSubstr("SLUICE_INBOUND_POLL_RATE is ignored"),
                                               HasSubstr("SLUICE_MAX_COMMAND_DELAY is ignored"),
                                               HasSubstr("SLUICE_MAX_TOPIC is ignored"),
                                               HasSubstr("SLUICE_ON_SIGNAL is ignored")));
}

}  // namespace
}  // namespace sluice::compat
