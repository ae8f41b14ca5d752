// SPDX-License-Identifier: Apache-2.0
// The C call on a thread of its own, between sockets of a test.
#pragma once

#include "support/deadline.hpp"

#include <sluice/sluice.h>

#include <zmq.hpp>

#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sluice::test {

using Frames = std::vector<std::string>;

/// A socket of the test's, with patience and without linger.
[[nodiscard]] zmq::socket_t make_socket(zmq::context_t& context, zmq::socket_type type);
[[nodiscard]] zmq::socket_t connected(zmq::context_t& context, zmq::socket_type type,
                                      const std::string& endpoint);

bool send(zmq::socket_t& socket, const Frames& frames);
/// Nothing when the test's patience has passed.
std::optional<Frames> receive(zmq::socket_t& socket);
/// A whole message if one is there now.
std::optional<Frames> receive_now(zmq::socket_t& socket);

[[nodiscard]] sluice_tuning default_tuning();

/// What one call returned.
struct Result {
  int rc;
  int error;
};

/// Binds inproc://front, inproc://back, inproc://capture and inproc://control and runs the call
/// between them. Destroying it terminates the call.
class Proxy {
 public:
  struct Options {
    std::optional<zmq::socket_type> capture;
    std::optional<zmq::socket_type> control = zmq::socket_type::pair;
    sluice_tuning tuning = default_tuning();
    bool same_socket = false;
  };

  Proxy(zmq::context_t& context, zmq::socket_type front, zmq::socket_type back, Options options);
  Proxy(zmq::context_t& context, zmq::socket_type front, zmq::socket_type back)
      : Proxy(context, front, back, Options{}) {}
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  /// Before `start`: the sockets, to set options.
  zmq::socket_t& front() { return m_front; }
  zmq::socket_t& back() { return m_back; }
  void start();
  [[nodiscard]] pthread_t thread() { return m_thread.native_handle(); }

  /// Over a PAIR control socket.
  void command(const std::string& text);
  /// The frames of the answer.
  std::optional<Frames> ask(const std::string& text);
  std::vector<std::uint64_t> statistics();

  /// Waits for the call's end without asking for it.
  std::optional<Result> result();
  /// TERMINATE, then `result`.
  std::optional<Result> terminate();
  /// The sockets again, once the call has ended.
  void close();

 private:
  zmq::socket_t& controller();

  zmq::context_t& m_context;
  Options m_options;
  zmq::socket_t m_front;
  zmq::socket_t m_back;
  zmq::socket_t m_capture;
  zmq::socket_t m_control;
  zmq::socket_t m_controller;
  std::future<Result> m_result;
  std::thread m_thread;
};

}  // namespace sluice::test
