// SPDX-License-Identifier: Apache-2.0
#include "app/admin/http_server.hpp"

#include "app/admin/http_session.hpp"

#include <sluice/error.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <exception>
#include <fcntl.h>
#include <pthread.h>
#include <thread>
#include <utility>

namespace sluice::app {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

/// Without descriptors an accept fails at once, and would again and again.
constexpr std::chrono::milliseconds k_accept_pause{100};

std::string text_of(const tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? '[' + address + ']' : address) + ':' +
         std::to_string(endpoint.port());
}

}  // namespace

class HttpServer::Impl {
 public:
  Impl(const std::string& address, std::uint16_t port, HttpLimits limits)
      : m_shared{.limits = limits}, m_acceptor(m_io), m_pause(m_io) {
    tcp::endpoint endpoint;
    try {
      endpoint = {asio::ip::make_address(address), port};
      m_acceptor.open(endpoint.protocol());
      ::fcntl(m_acceptor.native_handle(), F_SETFD, FD_CLOEXEC);
      m_acceptor.set_option(tcp::acceptor::reuse_address(true));
      m_acceptor.bind(endpoint);
      m_acceptor.listen();
    } catch (const boost::system::system_error& e) {
      throw EndpointError("http://" + text_of(endpoint), e.code().value(), e.code().message());
    }
    m_endpoint = text_of(m_acceptor.local_endpoint());
  }

  void start(HttpHandler handler) {
    m_shared.handler = std::move(handler);
    accept();
    m_thread = std::thread([this] {
      pthread_setname_np(pthread_self(), "sluice/admin");
      while (true) {
        try {
          m_io.run();
          return;
        } catch (const std::exception&) {  // out of memory: that connection is gone, others stay
          continue;
        }
      }
    });
  }

  void stop() {
    m_io.stop();
    if (m_thread.joinable()) m_thread.join();
  }

  [[nodiscard]] const std::string& endpoint() const noexcept { return m_endpoint; }
  [[nodiscard]] const HttpFigures& figures() const noexcept { return m_shared.figures; }

 private:
  void accept() {
    m_acceptor.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (!error) {
        welcome(std::move(socket));
        return accept();
      }
      m_pause.expires_after(k_accept_pause);
      m_pause.async_wait([this](boost::system::error_code cancelled) {
        if (!cancelled) accept();
      });
    });
  }

  void welcome(tcp::socket socket) {
    if (m_shared.figures.connections >= m_shared.limits.connections) {
      ++m_shared.figures.refused_connections;
      return;
    }
    boost::system::error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
    std::make_shared<HttpSession>(std::move(socket), m_shared)->run();
  }

  HttpShared m_shared;  // outlives the sessions, which die with the context
  std::string m_endpoint;
  asio::io_context m_io{1};
  tcp::acceptor m_acceptor;
  asio::steady_timer m_pause;
  std::thread m_thread;
};

HttpServer::HttpServer(const std::string& address, std::uint16_t port, HttpLimits limits)
    : m_impl(std::make_unique<Impl>(address, port, limits)) {}

HttpServer::~HttpServer() {
  stop();
}

void HttpServer::start(HttpHandler handler) {
  m_impl->start(std::move(handler));
}

void HttpServer::stop() {
  m_impl->stop();
}

const std::string& HttpServer::endpoint() const noexcept {
  return m_impl->endpoint();
}

HttpFigures HttpServer::figures() const {
  return m_impl->figures();
}

}  // namespace sluice::app
