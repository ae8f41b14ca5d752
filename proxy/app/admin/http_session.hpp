// SPDX-License-Identifier: Apache-2.0
// Boost.Beast lives in this header and the two files that include it.
#pragma once

#include "app/admin/http.hpp"
#include "app/admin/http_server.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <memory>
#include <optional>
#include <string>

namespace sluice::app {

/// What the sessions of a server share. The server's thread only.
struct HttpShared {
  HttpLimits limits;
  HttpHandler handler{};
  HttpFigures figures{};
};

/// One connection: reads a request, answers it, and again. Kept alive by its own pending operation.
/// The server's thread only.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(boost::asio::ip::tcp::socket socket, HttpShared& shared);
  ~HttpSession();
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  void run() { await_request(m_shared.limits.request_timeout); }

 private:
  using Error = boost::beast::error_code;

  void await_request(std::chrono::milliseconds patience);
  void read_rest();
  void on_request(Error error);
  void refuse(Error error);
  void answer(HttpResponse response, bool keep_alive, bool head);
  void on_written(Error error, bool keep_alive);
  void close();
  void discard(std::size_t left);

  boost::beast::tcp_stream m_stream;
  HttpShared& m_shared;
  std::string m_peer;
  boost::beast::flat_buffer m_buffer;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> m_parser;
  boost::beast::http::response<boost::beast::http::string_body> m_response;
};

}  // namespace sluice::app
