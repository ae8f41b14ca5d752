// SPDX-License-Identifier: Apache-2.0
// Publishers and subscribers for tests of a Route: real libzmq sockets.
#pragma once

#include "support/deadline.hpp"

#include <sluice/sluice.hpp>

#include <zmq.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sluice::test {

/// A route with one source that binds inproc://in and one tcp sink on a free port.
inline RouteOptions one_to_one(OnFull policy = OnFull::block, Engine engine = Engine::zmq) {
  RouteOptions options;
  SourceOptions source;
  source.name = "in";
  source.bind = {"inproc://in"};
  options.sources = {source};
  SinkOptions sink;
  sink.name = "out";
  sink.engine = engine;
  sink.bind = {"tcp://127.0.0.1:*"};
  sink.on_full = policy;
  options.sinks = {sink};
  return options;
}

inline std::string sink_endpoint(const Route& route, std::size_t sink = 0, std::size_t which = 0) {
  return route.status().sinks.at(sink).endpoints.at(which);
}

/// An XPUB source that does not drop, and sends only when told.
class Source {
 public:
  explicit Source(zmq::context_t& context, const std::string& endpoint = "inproc://in",
                  bool bind = false, int hwm = 0)
      : m_socket(context, zmq::socket_type::xpub) {
    m_socket.set(zmq::sockopt::linger, 0);
    m_socket.set(zmq::sockopt::sndhwm, hwm);
    m_socket.set(zmq::sockopt::rcvhwm, 0);
    m_socket.set(zmq::sockopt::xpub_nodrop, true);
    m_socket.set(zmq::sockopt::rcvtimeo, static_cast<int>(patience().count()));
    m_socket.set(zmq::sockopt::sndtimeo, static_cast<int>(patience().count()));
    bind ? m_socket.bind(endpoint) : m_socket.connect(endpoint);
  }
  /// The next subscription frame that arrives: 1 or 0 and the topic.
  std::optional<std::string> subscription() {
    zmq::message_t message;
    if (!m_socket.recv(message)) return std::nullopt;
    return message.to_string();
  }
  /// Takes one subscription frame if there is one now.
  bool has_subscription() {
    zmq::message_t message;
    return m_socket.recv(message, zmq::recv_flags::dontwait).has_value();
  }
  bool send(const std::string& text) { return m_socket.send(zmq::buffer(text)).has_value(); }
  bool send(const std::vector<std::string>& frames) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const auto flags = i + 1 < frames.size() ? zmq::send_flags::sndmore : zmq::send_flags::none;
      if (!m_socket.send(zmq::buffer(frames[i]), flags)) return false;
    }
    return true;
  }
  zmq::socket_t& socket() { return m_socket; }

 private:
  zmq::socket_t m_socket;
};

class Subscriber {
 public:
  Subscriber(zmq::context_t& context, const std::string& endpoint, const std::string& topic = "",
             int hwm = 0)
      : m_socket(context, zmq::socket_type::sub) {
    m_socket.set(zmq::sockopt::linger, 0);
    m_socket.set(zmq::sockopt::rcvhwm, hwm);
    m_socket.set(zmq::sockopt::rcvtimeo, static_cast<int>(patience().count()));
    m_socket.set(zmq::sockopt::subscribe, topic);
    m_socket.connect(endpoint);
  }
  /// The next whole message, frames joined by '|'; nothing when the patience ends.
  std::optional<std::string> receive() {
    std::string text;
    for (;;) {
      zmq::message_t frame;
      if (!m_socket.recv(frame)) return std::nullopt;
      text += frame.to_string();
      if (!frame.more()) return text;
      text += '|';
    }
  }
  /// Whether nothing is waiting now.
  bool silent() {
    zmq::message_t frame;
    return !m_socket.recv(frame, zmq::recv_flags::dontwait);
  }
  zmq::socket_t& socket() { return m_socket; }

 private:
  zmq::socket_t m_socket;
};

}  // namespace sluice::test
