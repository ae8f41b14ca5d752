// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/endpoint/endpoint_set.hpp"
#include "core/zmq/zmq_socket.hpp"
#include "sink/environment.hpp"
#include "sink/zmq/socket_sink.hpp"

#include <optional>

namespace sluice::sink {

// Base from member: the socket must exist before SocketSink and end after it.
struct OwnedSocket {
  core::ZmqSocket m_owned;
};

/// The zmq engine: a libzmq XPUB socket with all its transports. Counts no drops and no
/// deliveries, since libzmq tells neither.
class ZmqSink final : private OwnedSocket, public SocketSink {
 public:
  ZmqSink(const SinkOptions& options, const Environment& environment);

  void open(core::Waiter& waiter) override;
  void begin_close() noexcept override;
  void add_endpoint(const std::string& endpoint) override;
  void remove_endpoint(const std::string& endpoint) noexcept override;
  void retire(core::Nanoseconds deadline) noexcept override;
  bool flush(core::Nanoseconds deadline) noexcept override;
  [[nodiscard]] bool closed() const noexcept override;
  void close(core::Nanoseconds linger) noexcept override;
  /// Without the number of subscriptions: whoever receives them knows it.
  [[nodiscard]] SinkStatus status() const override;

 private:
  void list_names();
  void set_options();
  void close_socket(core::Nanoseconds linger) noexcept;

  SinkOptions m_options;
  const Environment& m_environment;
  void* m_context;
  std::optional<core::EndpointSet> m_endpoints;
  std::vector<std::string> m_names;
  bool m_closing = false;
};

}  // namespace sluice::sink
