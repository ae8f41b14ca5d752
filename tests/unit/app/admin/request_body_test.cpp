// SPDX-License-Identifier: Apache-2.0
#include "app/admin/request_body.hpp"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

std::string text(const CommandResult& result) {
  if (const auto* bad = std::get_if<BadBody>(&result)) return "bad: " + bad->why;
  return std::get<std::string>(result);
}

TEST(RequestBody, Routes) {
  EXPECT_EQ(text(route_command("PAUSE", "")), "PAUSE");
  EXPECT_EQ(text(route_command("PAUSE", "{}")), "PAUSE");
  EXPECT_EQ(text(route_command("PAUSE", R"({"route":"market"})")), "PAUSE market");
  EXPECT_EQ(text(route_command("PAUSE", "market")), "bad: the body has to be a JSON object");
  EXPECT_EQ(text(route_command("PAUSE", "[]")), "bad: the body has to be a JSON object");
  EXPECT_EQ(text(route_command("PAUSE", R"({"rout":"x"})")), "bad: unknown member rout");
  for (const char* body : {R"({"route":""})", R"({"route":"a b"})", R"({"route":null})",
                           R"({"route":"a\nTERMINATE"})", R"({"route":{}})"}) {
    EXPECT_EQ(text(route_command("PAUSE", body)), "bad: route has to be the name of a route");
  }
}

TEST(RequestBody, Settings) {
  EXPECT_EQ(text(set_command(R"({"key":"a.b","value":"1ms"})")), "SET a.b 1ms");
  EXPECT_EQ(text(set_command(R"({"key":"a","value":100})")), "SET a 100");
  EXPECT_EQ(text(set_command(R"({"key":"a","value":true})")), "SET a yes");
  EXPECT_EQ(text(set_command("")), "bad: key and value are needed");
  EXPECT_EQ(text(set_command(R"({"key":"a"})")), "bad: key and value are needed");
  EXPECT_EQ(text(set_command(R"({"key":"a b","value":"c"})")),
            "bad: key has to be the path of a setting");
  EXPECT_EQ(text(set_command(R"({"key":"a","value":["c"]})")),
            "bad: value has to be a text, a number or a boolean");
}

TEST(RequestBody, Reload) {
  EXPECT_EQ(text(reload_command("")), "RELOAD");
  EXPECT_EQ(text(reload_command(R"({"file":"/etc/passwd"})")), "bad: unknown member file");
}

TEST(RequestBody, AnswersAreJsonWhateverTheyHold) {
  EXPECT_EQ(answer_json(true, "fine"), "{\"ok\":true,\"text\":\"fine\"}\n");
  EXPECT_EQ(answer_json(false, "\"\n\xff"), "{\"error\":\"\\\"\\n\xef\xbf\xbd\",\"ok\":false}\n");
}

}  // namespace
}  // namespace sluice::app
