// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/admin/http.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace sluice::app {

struct HttpFigures {
  std::map<unsigned, std::uint64_t> responses{{200, 0}};  ///< by status
  std::uint64_t connections = 0;                          ///< open now
  std::uint64_t refused_connections = 0;                  ///< over the limit
};

/// A small HTTP/1.1 server with one thread of its own, which does everything. Made, started and
/// stopped by main.
class HttpServer {
 public:
  /// Binds and listens; answers nothing yet. Throws EndpointError.
  HttpServer(const std::string& address, std::uint16_t port, HttpLimits limits);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  void start(HttpHandler handler);
  /// Closes every connection. Returns when the answer under way is made.
  void stop();

  /// "127.0.0.1:9464", as bound.
  [[nodiscard]] const std::string& endpoint() const noexcept;
  /// On the server's thread: from a handler, or after `stop`.
  [[nodiscard]] HttpFigures figures() const;

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace sluice::app
