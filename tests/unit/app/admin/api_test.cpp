// SPDX-License-Identifier: Apache-2.0
#include "app/admin/api.hpp"

#include "unit/app/two_routes.hpp"

#include <nlohmann/json.hpp>

namespace sluice::app {
namespace {

using nlohmann::json;

constexpr const char* k_token = "0123456789abcdef";

class ApiTest : public TwoRoutes {
 protected:
  Api api(bool changes = true) {
    config::AdminOptions options;
    options.changes = changes;
    options.paused_is_ready = paused_is_ready;
    options.token_file = scratch.write("token", std::string(k_token) + "\n").string();
    return Api(options, {*routes, *steering, *settings, nullptr}, log,
               [] { return HttpFigures{}; });
  }
  static HttpRequest get(std::string path) { return {.method = "GET", .path = std::move(path)}; }
  static HttpRequest post(std::string path, std::string body = {}) {
    return {.method = "POST",
            .path = std::move(path),
            .authorization = std::string("Bearer ") + k_token,
            .content_type = "application/json",
            .body = std::move(body)};
  }

  bool paused_is_ready = true;
};

TEST_F(ApiTest, PathsAndMethods) {
  Api one = api();
  for (const char* path :
       {"/", "/metrics", "/healthz", "/readyz", "/api/v1/status", "/api/v1/settings"}) {
    EXPECT_EQ(one.handle(get(path)).status, 200U) << path;
  }
  for (const char* path : {"", "/x", "/metrics/", "//", "/api/v1/terminate", "/../etc/passwd"}) {
    EXPECT_EQ(one.handle(get(path)).status, 404U) << path;
  }
  EXPECT_EQ(one.handle(get("/api/v1/pause")).status, 405U);
  EXPECT_EQ(one.handle(post("/metrics")).status, 405U);
  HttpRequest odd = get("/api/v1/settings");
  odd.method = "DELETE";
  const HttpResponse response = one.handle(odd);
  EXPECT_EQ(response.status, 405U);
  EXPECT_EQ(response.headers.front().second, "GET, HEAD, POST");
}

TEST_F(ApiTest, ChangesNeedTheSwitchAndTheToken) {
  EXPECT_EQ(api(false).handle(post("/api/v1/pause")).status, 403U);
  Api one = api();
  HttpRequest request = post("/api/v1/pause");
  for (const char* authorization : {"", "Bearer wrong-wrong-wrong", "Basic 0123456789abcdef"}) {
    request.authorization = authorization;
    EXPECT_EQ(one.handle(request).status, 401U) << authorization;
  }
  EXPECT_EQ(state("one"), RouteState::running);
  HttpRequest form = post("/api/v1/pause", "{}");
  form.content_type = "application/x-www-form-urlencoded";
  EXPECT_EQ(one.handle(form).status, 415U);
  EXPECT_EQ(one.handle(post("/api/v1/pause", "{")).status, 400U);
  EXPECT_EQ(state("one"), RouteState::running);
}

TEST_F(ApiTest, ANewTokenCountsAtOnceAndNoTokenMeansNoChange) {
  Api one = api();
  static_cast<void>(scratch.write("token", "another-token-now\n"));
  EXPECT_EQ(one.handle(post("/api/v1/pause")).status, 401U);
  static_cast<void>(scratch.write("token", ""));
  EXPECT_EQ(one.handle(post("/api/v1/pause")).status, 503U);
  EXPECT_EQ(state("one"), RouteState::running);
}

TEST_F(ApiTest, PausesAndResumesOneOrAll) {
  Api one = api();
  EXPECT_EQ(one.handle(post("/api/v1/pause", R"({"route":"two"})")).status, 200U);
  EXPECT_EQ(state("one"), RouteState::running);
  EXPECT_EQ(state("two"), RouteState::paused);
  EXPECT_EQ(one.handle(post("/api/v1/pause")).body, "{\"ok\":true,\"text\":\"\"}\n");
  EXPECT_EQ(state("one"), RouteState::paused);
  EXPECT_EQ(one.handle(post("/api/v1/resume")).status, 200U);
  EXPECT_EQ(state("two"), RouteState::running);
  const HttpResponse refused = one.handle(post("/api/v1/pause", R"({"route":"tow"})"));
  EXPECT_EQ(refused.status, 409U);
  EXPECT_NE(refused.body.find("no route tow"), std::string::npos) << refused.body;
}

TEST_F(ApiTest, SettingsAreReadAndSet) {
  Api one = api();
  const HttpResponse done =
      one.handle(post("/api/v1/settings", R"({"key":"route.one.inbound_poll_rate","value":7})"));
  EXPECT_EQ(done.status, 200U) << done.body;
  EXPECT_EQ(routes->find("one")->tuning().inbound_poll_rate, 7U);
  const HttpResponse refused =
      one.handle(post("/api/v1/settings", R"({"key":"route.one.inbound_poll_rate","value":"x"})"));
  EXPECT_EQ(refused.status, 409U);
  EXPECT_NE(refused.body.find("inbound_poll_rate"), std::string::npos);
  const json all = json::parse(one.handle(get("/api/v1/settings")).body);
  EXPECT_EQ(all["changes"], true);
  for (const json& row : all["settings"]) {
    if (row["path"] == "route.one.inbound_poll_rate") {
      EXPECT_EQ(row["values"], json::array({"7"}));
      EXPECT_EQ(row["origin"], "SET");
    }
  }
}

TEST_F(ApiTest, ReadinessFollowsTheState) {
  Api lenient = api();
  paused_is_ready = false;
  Api strict = api();
  EXPECT_EQ(strict.handle(get("/readyz")).body, "ready\n");
  routes->find("two")->pause();
  EXPECT_EQ(lenient.handle(get("/readyz")).status, 200U);
  EXPECT_EQ(strict.handle(get("/readyz")).status, 503U);
  EXPECT_EQ(strict.handle(get("/readyz")).body, "not ready: route two is paused\n");
  EXPECT_EQ(strict.handle(get("/healthz")).body, "ok\n");
}

TEST_F(ApiTest, StatusIsTheControlSocketsOne) {
  Api one = api();
  json here = json::parse(one.handle(get("/api/v1/status")).body);
  json there = json::parse(steering->status().text);
  for (json* status : {&here, &there}) {
    for (const char* moving : {"uptime_s", "syscalls"}) status->erase(moving);
    for (json& route : (*status)["routes"]) route.erase("loop");
  }
  EXPECT_EQ(here, there);
}

TEST_F(ApiTest, MetricsCountCommands) {
  Api one = api();
  static_cast<void>(one.handle(post("/api/v1/pause")));
  static_cast<void>(one.handle(post("/api/v1/pause", R"({"route":"tow"})")));
  const HttpResponse response = one.handle(get("/metrics"));
  EXPECT_EQ(response.content_type, "text/plain; version=0.0.4; charset=utf-8");
  for (const char* line :
       {"sluice_control_commands_total{command=\"pause\",result=\"done\"} 1\n",
        "sluice_control_commands_total{command=\"pause\",result=\"refused\"} 1\n",
        "sluice_control_command_seconds_count 2\n",
        "sluice_state{route=\"two\",state=\"paused\"} 1\n"}) {
    EXPECT_NE(response.body.find(line), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace sluice::app
