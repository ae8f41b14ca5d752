// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::app {

/// One request, whole; what no handler needs is left out.
struct HttpRequest {
  std::string method{};
  std::string path{};  ///< without the query
  std::string authorization{};
  std::string content_type{};
  std::string body{};
  std::string peer{};  ///< "127.0.0.1:40000"
};

struct HttpResponse {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};  ///< beyond those all answers have
};

/// Called on the server's thread; its exceptions become a 500.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

struct HttpLimits {
  std::size_t header_bytes = 8U << 10;                   ///< 431 beyond
  std::size_t body_bytes = 16U << 10;                    ///< 413 beyond
  unsigned connections = 64;                             ///< closed at once beyond
  std::chrono::milliseconds request_timeout{5'000};      ///< for a request to come, an answer to go
  std::chrono::milliseconds keep_alive_timeout{30'000};  ///< between two requests
};

}  // namespace sluice::app
