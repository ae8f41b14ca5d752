// SPDX-License-Identifier: Apache-2.0
#include "rig.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace sluice::test {

zmq::socket_t make_socket(zmq::context_t& context, zmq::socket_type type) {
  zmq::socket_t socket{context, type};
  socket.set(zmq::sockopt::linger, 0);
  socket.set(zmq::sockopt::rcvtimeo, static_cast<int>(patience().count()));
  socket.set(zmq::sockopt::sndtimeo, static_cast<int>(patience().count()));
  return socket;
}

zmq::socket_t connected(zmq::context_t& context, zmq::socket_type type,
                        const std::string& endpoint) {
  zmq::socket_t socket = make_socket(context, type);
  if (type == zmq::socket_type::sub) socket.set(zmq::sockopt::subscribe, "");
  socket.connect(endpoint);
  return socket;
}

bool send(zmq::socket_t& socket, const Frames& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto flags = i + 1 < frames.size() ? zmq::send_flags::sndmore : zmq::send_flags::none;
    if (!socket.send(zmq::buffer(frames[i]), flags)) return false;
  }
  return true;
}

namespace {

std::optional<Frames> receive(zmq::socket_t& socket, zmq::recv_flags flags) {
  Frames frames;
  for (;;) {
    zmq::message_t frame;
    if (!socket.recv(frame, flags)) return std::nullopt;
    frames.push_back(frame.to_string());
    if (!frame.more()) return frames;
  }
}

}  // namespace

std::optional<Frames> receive(zmq::socket_t& socket) {
  return receive(socket, zmq::recv_flags::none);
}

std::optional<Frames> receive_now(zmq::socket_t& socket) {
  return receive(socket, zmq::recv_flags::dontwait);
}

sluice_tuning default_tuning() {
  return {sizeof(sluice_tuning), 1000, 0, 1000, 0, 0};
}

Proxy::Proxy(zmq::context_t& context, zmq::socket_type front, zmq::socket_type back,
             Options options)
    : m_context(context), m_options(options), m_front(make_socket(context, front)) {
  m_front.bind("inproc://front");
  if (!m_options.same_socket) {
    m_back = make_socket(context, back);
    m_back.bind("inproc://back");
  }
  if (m_options.capture) {
    m_capture = make_socket(context, *m_options.capture);
    m_capture.bind("inproc://capture");
  }
  if (m_options.control) {
    m_control = make_socket(context, *m_options.control);
    if (*m_options.control == zmq::socket_type::sub) {
      m_control.set(zmq::sockopt::subscribe, "");
    }
    m_control.bind("inproc://control");
  }
}

Proxy::~Proxy() {
  if (m_result.valid() && m_options.control == zmq::socket_type::pair) {
    try {
      command("TERMINATE");
    } catch (const zmq::error_t&) {
      // The context is gone, and the call with it.
    }
  }
  if (m_thread.joinable()) m_thread.join();
}

void Proxy::start() {
  std::promise<Result> promise;
  m_result = promise.get_future();
  m_thread = std::thread([this, promise = std::move(promise)]() mutable {
    const auto raw = [](zmq::socket_t& socket) { return socket ? socket.handle() : nullptr; };
    zmq::socket_t& back = m_options.same_socket ? m_front : m_back;
    const int rc = sluice_proxy_tuned(raw(m_front), raw(back), raw(m_capture), raw(m_control),
                                      &m_options.tuning);
    promise.set_value({rc, rc == 0 ? 0 : errno});
  });
}

zmq::socket_t& Proxy::controller() {
  if (!m_controller) {
    m_controller = connected(m_context, zmq::socket_type::pair, "inproc://control");
  }
  return m_controller;
}

void Proxy::command(const std::string& text) {
  send(controller(), {text});
}

std::optional<Frames> Proxy::ask(const std::string& text) {
  command(text);
  return receive(controller());
}

std::vector<std::uint64_t> Proxy::statistics() {
  std::vector<std::uint64_t> values;
  for (const auto& frame : ask("STATISTICS").value_or(Frames{})) {
    std::uint64_t value = 0;
    if (frame.size() != sizeof value) return {};
    std::memcpy(&value, frame.data(), sizeof value);
    values.push_back(value);
  }
  return values;
}

std::optional<Result> Proxy::result() {
  if (m_result.wait_for(patience()) != std::future_status::ready) return std::nullopt;
  const Result result = m_result.get();
  m_thread.join();
  return result;
}

std::optional<Result> Proxy::terminate() {
  command("TERMINATE");
  return result();
}

void Proxy::close() {
  for (auto* socket : {&m_front, &m_back, &m_capture, &m_control, &m_controller}) socket->close();
}

}  // namespace sluice::test
