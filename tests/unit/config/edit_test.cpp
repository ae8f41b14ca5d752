// SPDX-License-Identifier: Apache-2.0
#include "config/edit.hpp"

#include "loading.hpp"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

std::string edited(const std::string& text, const std::vector<NewValue>& values) {
  const EditResult result = with_lines("t.ini", text, values);
  if (const auto* errors = std::get_if<Errors>(&result)) return "error: " + test::lines(*errors);
  return std::get<std::string>(result);
}

const std::string k_rest =
    "[source feed]\nbind = tcp://127.0.0.1:7001\n[sink edge]\nbind = tcp://127.0.0.1:7002\n";

TEST(Edit, ChangesAValueAndKeepsItsComment) {
  const std::string text =
      "# a file\n"
      "[route market]   # the only one\n"
      "  inbound_poll_rate  = 1000   # how often\n"
      "\tcoalesce_delay=0# no comment: no blank before it\n" +
      k_rest;
  EXPECT_EQ(edited("# a file\n[route market]   # the only one\n"
                   "  inbound_poll_rate  = 1000   # how often\n" +
                       k_rest,
                   {{"route.market.inbound_poll_rate", "10000"}}),
            "# a file\n[route market]   # the only one\n"
            "  inbound_poll_rate  = 10000  # how often\n" +
                k_rest);
  EXPECT_EQ(edited(text, {{"route.market.coalesce_delay", "1ms"}}).substr(0, 6), "error:");
}

TEST(Edit, AlignsACommentAsFarAsThereIsRoom) {
  EXPECT_EQ(edited("coalesce_delay = 0       # why\n" + k_rest,
                   {{"route.default.coalesce_delay", "500us"}}),
            "coalesce_delay = 500us   # why\n" + k_rest);
  EXPECT_EQ(
      edited("coalesce_delay = 0 # why\n" + k_rest, {{"route.default.coalesce_delay", "500us"}}),
      "coalesce_delay = 500us # why\n" + k_rest);
}

TEST(Edit, InsertsBelowTheHeader) {
  EXPECT_EQ(edited("[route market]\n# knobs\nlinger = 1s\n\n" + k_rest,
                   {{"route.market.coalesce_delay", "1ms"}, {"sink.edge.engine", "zmq"}}),
            "[route market]\ncoalesce_delay = 1ms\n# knobs\nlinger = 1s\n\n"
            "[source feed]\nbind = tcp://127.0.0.1:7001\n[sink edge]\nengine = zmq\n"
            "bind = tcp://127.0.0.1:7002\n");
}

TEST(Edit, InsertsBehindTheOpeningRemarkOfAFileWithoutARoute) {
  EXPECT_EQ(
      edited("# a remark\n\n# of the source\n" + k_rest, {{"route.default.coalesce_delay", "1ms"}}),
      "# a remark\n\ncoalesce_delay = 1ms\n# of the source\n" + k_rest);
  EXPECT_EQ(edited(k_rest, {{"route.default.coalesce_delay", "1ms"}}),
            "coalesce_delay = 1ms\n" + k_rest);
}

TEST(Edit, KeepsLineEndsAndAFileWithoutOneAtItsEnd) {
  EXPECT_EQ(edited("[route market]\r\ncoalesce_delay = 0\r\n[source a]\r\nbind = ipc:///x\r\n"
                   "[sink b]\r\nbind = ipc:///y",
                   {{"route.market.coalesce_delay", "1ms"},
                    {"route.market.inbound_poll_rate", "10"},
                    {"sink.b.engine", "zmq"}}),
            "[route market]\r\ninbound_poll_rate = 10\r\ncoalesce_delay = 1ms\r\n[source a]\r\n"
            "bind = ipc:///x\r\n[sink b]\r\nengine = zmq\r\nbind = ipc:///y");
}

TEST(Edit, GoesFromFixedToAdaptive) {
  EXPECT_EQ(
      edited("coalesce_delay = 1ms   # was good\n" + k_rest,
             {{"route.default.coalesce_delay", "0"},
              {"route.default.tuning", "adaptive"},
              {"route.default.latency_budget", "2ms"}}),
      "tuning = adaptive\nlatency_budget = 2ms\ncoalesce_delay = 0     # was good\n" + k_rest);
}

TEST(Edit, RefusesWhatWouldNotLoad) {
  EXPECT_EQ(edited(k_rest, {{"route.default.coalesce_delay", "soon"}}).substr(0, 6), "error:");
  EXPECT_EQ(edited(k_rest, {{"route.default.nosuch", "1"}}).substr(0, 6), "error:");
  EXPECT_EQ(edited("[nosuch]\n", {{"route.default.coalesce_delay", "0"}}).substr(0, 6), "error:");
}

TEST(Edit, WithoutValuesNothingChanges) {
  const std::string text = "# x\r\n\n" + k_rest + "\n\n# end";
  EXPECT_EQ(edited(text, {}), text);
}

}  // namespace
}  // namespace sluice::config
