// SPDX-License-Identifier: Apache-2.0
#include "app/admin/http_session.hpp"

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

#include <exception>
#include <utility>

namespace sluice::app {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::chrono::milliseconds k_last_words{500};
constexpr std::size_t k_most_discarded = 256U << 10;
constexpr std::size_t k_discarded_at_once = 4U << 10;

std::string text(beast::string_view view) {
  return {view.data(), view.size()};
}

std::string peer_of(const boost::asio::ip::tcp::socket& socket) {
  boost::system::error_code error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return "unknown";
  const std::string address = peer.address().to_string(error);
  return (peer.address().is_v6() ? '[' + address + ']' : address) + ':' +
         std::to_string(peer.port());
}

}  // namespace

HttpSession::HttpSession(boost::asio::ip::tcp::socket socket, HttpShared& shared)
    : m_stream(std::move(socket)),
      m_shared(shared),
      m_peer(peer_of(m_stream.socket())),
      m_buffer(shared.limits.header_bytes + shared.limits.body_bytes) {
  ++m_shared.figures.connections;
}

HttpSession::~HttpSession() {
  --m_shared.figures.connections;
}

void HttpSession::await_request(std::chrono::milliseconds patience) {
  m_parser.emplace();
  m_parser->header_limit(static_cast<std::uint32_t>(m_shared.limits.header_bytes));
  m_parser->body_limit(m_shared.limits.body_bytes);
  m_stream.expires_after(patience);
  http::async_read_some(m_stream, m_buffer, *m_parser,
                        [self = shared_from_this()](Error error, std::size_t) {
                          if (error || self->m_parser->is_done()) return self->on_request(error);
                          self->read_rest();
                        });
}

// From its first byte on a request has the request's time, however slowly it trickles.
void HttpSession::read_rest() {
  m_stream.expires_after(m_shared.limits.request_timeout);
  http::async_read(
      m_stream, m_buffer, *m_parser,
      [self = shared_from_this()](Error error, std::size_t) { self->on_request(error); });
}

void HttpSession::on_request(Error error) {
  if (error) return refuse(error);
  auto message = m_parser->release();
  const bool head = message.method() == http::verb::head;
  const bool keep_alive = message.keep_alive();
  HttpRequest request;
  request.method = head ? "GET" : text(message.method_string());
  const std::string target = text(message.target());
  request.path = target.substr(0, target.find('?'));
  request.authorization = text(message[http::field::authorization]);
  request.content_type = text(message[http::field::content_type]);
  request.body = std::move(message.body());
  request.peer = m_peer;
  HttpResponse response;
  try {
    response = m_shared.handler(request);
  } catch (const std::exception& e) {
    response = {.status = 500, .body = std::string("failed: ") + e.what() + '\n'};
  }
  answer(std::move(response), keep_alive, head);
}

void HttpSession::refuse(Error error) {
  HttpResponse response{.status = 400, .body = "not a request\n"};
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    response = {.status = 431, .body = "the header is too large\n"};
  } else if (error == http::error::body_limit) {
    response = {.status = 413, .body = "the body is too large\n"};
  } else if (error == http::error::end_of_stream ||
             error.category() != make_error_code(http::error::bad_method).category()) {
    return close();  // gone, or too slow
  }
  answer(std::move(response), false, false);
}

void HttpSession::answer(HttpResponse response, bool keep_alive, bool head) {
  ++m_shared.figures.responses[response.status];
  m_response = {};
  m_response.version(11);
  m_response.result(response.status);
  m_response.set(http::field::server, "sluice");
  m_response.set(http::field::content_type, response.content_type);
  m_response.set(http::field::cache_control, "no-store");
  m_response.set("X-Content-Type-Options", "nosniff");
  m_response.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  for (const auto& [name, value] : response.headers) m_response.set(name, value);
  m_response.keep_alive(keep_alive);
  m_response.content_length(response.body.size());
  if (!head) m_response.body() = std::move(response.body);
  m_stream.expires_after(m_shared.limits.request_timeout);
  http::async_write(m_stream, m_response,
                    [self = shared_from_this(), keep_alive](Error error, std::size_t) {
                      self->on_written(error, keep_alive);
                    });
}

void HttpSession::on_written(Error error, bool keep_alive) {
  if (error || !keep_alive) return close();
  await_request(m_shared.limits.keep_alive_timeout);
}

// What is still on its way in is read and thrown away for a moment: closing on unread data would
// reset the connection, and the answer might be lost with it.
void HttpSession::close() {
  Error ignored;
  m_stream.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  m_stream.expires_after(k_last_words);
  discard(k_most_discarded);
}

void HttpSession::discard(std::size_t left) {
  m_buffer.clear();
  m_stream.async_read_some(m_buffer.prepare(k_discarded_at_once),
                           [self = shared_from_this(), left](Error error, std::size_t size) {
                             if (!error && size < left) self->discard(left - size);
                           });
}

}  // namespace sluice::app
