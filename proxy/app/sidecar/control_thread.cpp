// SPDX-License-Identifier: Apache-2.0
#include "app/sidecar/control_thread.hpp"

#include "core/zmq/curve.hpp"

#include <sluice/error.hpp>

#include <cerrno>
#include <pthread.h>
#include <utility>

namespace sluice::app {
namespace {

constexpr int k_linger_ms = 200;
/// Larger frames are not even refused: the connection is cut.
constexpr std::int64_t k_max_frame = 16LL << 20;

zmq::socket_type socket_type(config::ControlType type) {
  switch (type) {
    case config::ControlType::rep:  // see ControlSocket::Envelope
    case config::ControlType::router:
      return zmq::socket_type::router;
    case config::ControlType::pair:
      return zmq::socket_type::pair;
    case config::ControlType::sub:
      return zmq::socket_type::sub;
    case config::ControlType::pull:
      break;
  }
  return zmq::socket_type::pull;
}

}  // namespace

ControlThread::ControlThread(zmq::context_t& context, const config::ControlOptions& options)
    : m_socket(context, socket_type(options.type)),
      m_envelope(options.type == config::ControlType::rep
                     ? core::ControlSocket::Envelope::of_rep
                     : core::ControlSocket::Envelope::optional) {
  m_socket.set(zmq::sockopt::linger, k_linger_ms);
  m_socket.set(zmq::sockopt::maxmsgsize, k_max_frame);
  m_socket.set(zmq::sockopt::ipv6, true);
  core::set_curve(m_socket.handle(), options.curve);
  if (options.type == config::ControlType::sub) m_socket.set(zmq::sockopt::subscribe, "");
  for (const std::string& endpoint : options.bind) bind(endpoint, options.ipc);
}

ControlThread::~ControlThread() {
  stop();
}

void ControlThread::bind(const std::string& endpoint, const IpcFileOptions& file) {
  if (endpoint.rfind("ipc://", 0) != 0) {
    if (zmq_bind(m_socket.handle(), endpoint.c_str()) != 0) {
      throw EndpointError(endpoint, errno, zmq_strerror(errno));
    }
    m_endpoints.push_back(m_socket.get(zmq::sockopt::last_endpoint));
    return;
  }
  core::IpcListener listener = core::listen_ipc(endpoint, file);
  m_socket.set(zmq::sockopt::use_fd, listener.fd.get());
  const int rc = zmq_bind(m_socket.handle(), listener.endpoint.c_str());
  const int error = errno;
  m_socket.set(zmq::sockopt::use_fd, -1);
  if (rc != 0) throw EndpointError(endpoint, error, zmq_strerror(error));
  static_cast<void>(listener.fd.release());  // libzmq's now
  m_endpoints.push_back(listener.endpoint);
  m_files.push_back(std::move(listener.guard));
}

void ControlThread::start(core::Steerable& steerable, Log& log) {
  m_protocol.emplace(steerable, [&log](Severity severity, std::string_view text) {
    log.write(severity, "control: " + std::string(text));
  });
  m_thread = std::thread([this] { run(); });
}

void ControlThread::stop() {
  m_stop.raise();
  if (m_thread.joinable()) m_thread.join();
}

void ControlThread::run() noexcept {
  pthread_setname_np(pthread_self(), "sluice/control");
  core::ControlSocket socket(m_socket.handle(), *m_protocol, m_envelope);
  zmq_pollitem_t items[] = {{m_socket.handle(), 0, ZMQ_POLLIN, 0},
                            {nullptr, m_stop.fd(), ZMQ_POLLIN, 0}};
  bool stopping = false;
  while (true) {
    const auto result = socket.on_readable();
    if (result == core::ControlSocket::Result::terminated || stopping) break;
    if (result == core::ControlSocket::Result::more) continue;
    static_cast<void>(zmq_poll(items, 2, -1));
    stopping = m_stop.take();
  }
  m_files.clear();  // first: a successor never finds a dead socket of ours
  m_socket.close();
}

}  // namespace sluice::app
