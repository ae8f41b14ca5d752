// SPDX-License-Identifier: Apache-2.0
#include "app/admin/http_server.hpp"

#include "http_client.hpp"

#include <sluice/error.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <vector>

namespace sluice::app {
namespace {

using std::chrono::milliseconds;

/// Answers with what it was asked.
class HttpServerTest : public testing::Test {
 protected:
  void start(HttpLimits limits = {}) {
    server = std::make_unique<HttpServer>("127.0.0.1", 0, limits);
    server->start([this](const HttpRequest& request) -> HttpResponse {
      ++asked;
      if (request.path == "/throw") throw std::runtime_error("as told");
      return {.body = request.method + ' ' + request.path + ' ' + request.body};
    });
  }
  HttpClient client() { return HttpClient(server->endpoint()); }

  std::atomic<int> asked{0};
  std::unique_ptr<HttpServer> server;
};

TEST_F(HttpServerTest, AnswersOneRequestAfterTheOther) {
  start();
  HttpClient one = client();
  EXPECT_EQ(body_of(one.ask(get("/a?b=c"))), "GET /a ");
  EXPECT_EQ(body_of(one.ask(post("/p", "body"))), "POST /p body");
  // Two at once, in their order.
  ASSERT_TRUE(one.send(get("/1") + get("/2")));
  EXPECT_EQ(body_of(one.response()), "GET /1 ");
  EXPECT_EQ(body_of(one.response()), "GET /2 ");
}

TEST_F(HttpServerTest, ClosesWhenAsked) {
  start();
  HttpClient one = client();
  EXPECT_EQ(status_of(one.ask(get("/", "Connection: close\r\n"))), 200);
  EXPECT_TRUE(one.closed());
}

TEST_F(HttpServerTest, AHeadHasNoBodyButItsLength) {
  start();
  HttpClient one = client();
  ASSERT_TRUE(one.send("HEAD /x HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n"));
  std::string all;
  try {
    all = one.response();
  } catch (const std::runtime_error&) {
    FAIL() << "not closed";
  }
  EXPECT_NE(all.find("Content-Length: 7"), std::string::npos) << all;
  EXPECT_EQ(body_of(all), "");
}

TEST_F(HttpServerTest, EveryAnswerForbidsWhatIsNotNeeded) {
  start();
  const std::string answer = client().ask(get("/"));
  for (const char* line : {"Cache-Control: no-store", "X-Content-Type-Options: nosniff",
                           "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'"}) {
    EXPECT_NE(answer.find(line), std::string::npos) << line;
  }
}

TEST_F(HttpServerTest, LargeHeadersAndBodiesAreRefused) {
  start();
  EXPECT_EQ(status_of(client().ask(get("/", "X: " + std::string(9000, 'x') + "\r\n"))), 431);
  HttpClient large = client();
  EXPECT_EQ(status_of(large.ask("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 20000\r\n\r\n")),
            413);
  EXPECT_TRUE(large.closed());
  HttpClient chunked = client();
  ASSERT_TRUE(chunked.send("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"));
  static_cast<void>(chunked.send("4e20\r\n" + std::string(20'000, 'x') + "\r\n0\r\n\r\n"));
  EXPECT_EQ(status_of(chunked.response()), 413);
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(status_of(client().ask(post("/", std::string(16'000, 'x')))), 200);
}

TEST_F(HttpServerTest, WhatIsNoRequestIsAnsweredAndClosed) {
  start();
  for (const std::string& text :
       {std::string("nonsense\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("GET /\x01 HTTP/1.1\r\n\r\n"), std::string("\0\0\0\0\r\n\r\n", 8),
        std::string("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n")}) {
    HttpClient one = client();
    EXPECT_EQ(status_of(one.ask(text)), 400) << text;
    EXPECT_TRUE(one.closed());
  }
  EXPECT_EQ(asked, 0);
}

TEST_F(HttpServerTest, ASlowRequestIsCut) {
  start({.request_timeout = milliseconds(100)});
  HttpClient idle = client();
  EXPECT_TRUE(idle.closed());
  HttpClient trickle = client();
  ASSERT_TRUE(trickle.send("GET / HT"));
  EXPECT_TRUE(trickle.closed());
  HttpClient body = client();
  ASSERT_TRUE(body.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\n123"));
  EXPECT_TRUE(body.closed());
  EXPECT_EQ(asked, 0);
}

TEST_F(HttpServerTest, AnIdleConnectionIsCutLater) {
  start({.keep_alive_timeout = milliseconds(100)});
  HttpClient one = client();
  EXPECT_EQ(status_of(one.ask(get("/"))), 200);
  EXPECT_TRUE(one.closed());
}

TEST_F(HttpServerTest, TooManyConnectionsAreClosedAndCounted) {
  start({.connections = 2});
  HttpClient one = client();
  HttpClient two = client();
  EXPECT_EQ(status_of(one.ask(get("/"))), 200);
  EXPECT_EQ(status_of(two.ask(get("/"))), 200);
  EXPECT_TRUE(client().closed());
  EXPECT_EQ(status_of(one.ask(get("/"))), 200);
  server->stop();
  const HttpFigures figures = server->figures();
  EXPECT_EQ(figures.refused_connections, 1U);
  EXPECT_EQ(figures.responses.at(200), 3U);
}

TEST_F(HttpServerTest, AnExceptionIsA500) {
  start();
  HttpClient one = client();
  const std::string answer = one.ask(get("/throw"));
  EXPECT_EQ(status_of(answer), 500);
  EXPECT_EQ(body_of(answer), "failed: as told\n");
  EXPECT_EQ(status_of(one.ask(get("/"))), 200);
}

TEST_F(HttpServerTest, APortInUseIsNamed) {
  start();
  const std::string endpoint = server->endpoint();
  const auto port = static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
  try {
    HttpServer second("127.0.0.1", port, {});
    FAIL() << "bound twice";
  } catch (const EndpointError& e) {
    EXPECT_EQ(e.endpoint(), "http://" + endpoint);
    EXPECT_EQ(e.error(), EADDRINUSE);
  }
  // Free again as soon as it is gone, connections or not.
  HttpClient open = client();
  EXPECT_EQ(status_of(open.ask(get("/"))), 200);
  server.reset();
  EXPECT_NO_THROW(HttpServer("127.0.0.1", port, {}));
}

TEST_F(HttpServerTest, StopsWithoutEverHavingStarted) {
  HttpServer never("127.0.0.1", 0, {});
  never.stop();
}

}  // namespace
}  // namespace sluice::app
