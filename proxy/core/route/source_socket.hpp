// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/endpoint/endpoint_set.hpp"
#include "core/loop/frontend.hpp"
#include "core/zmq/zmq_socket.hpp"

#include <sluice/statistics.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sluice::core {

/// One source of a route: an XSUB socket that it owns, its endpoints, and the frontend that the
/// loop reads. On the loop's thread.
class SourceSocket {
 public:
  /// Throws std::runtime_error.
  SourceSocket(void* context, const SourceOptions& options, Waiter& waiter,
               std::function<void(Severity, const std::string&)> report = {});
  SourceSocket(const SourceSocket&) = delete;
  SourceSocket& operator=(const SourceSocket&) = delete;

  /// Binds and connects what the options name. Throws EndpointError.
  void open();
  /// More endpoints, and less, while it runs; all or nothing. Throws EndpointError.
  void add(const std::vector<std::string>& bind, const std::vector<std::string>& connect);
  void remove(const std::vector<std::string>& bind,
              const std::vector<std::string>& connect) noexcept;
  /// From now on the loop can read it. Throws std::system_error.
  void start();
  /// The loop reads it no more; frees what is bound. `endpoints().free()` tells when that is done.
  void retire() noexcept;

  [[nodiscard]] const std::string& name() const noexcept { return m_options.name; }
  [[nodiscard]] const SourceOptions& options() const noexcept { return m_options; }
  [[nodiscard]] int recv_hwm() const noexcept { return m_options.recv_hwm; }
  /// From `start` to `retire`.
  [[nodiscard]] Frontend& frontend() noexcept { return *m_frontend; }
  [[nodiscard]] EndpointSet& endpoints() noexcept { return m_endpoints; }
  [[nodiscard]] const EndpointSet& endpoints() const noexcept { return m_endpoints; }
  void append_status(std::vector<SourceStatus>& rows) const;

 private:
  void tell(bool came, const std::string& endpoint);

  SourceOptions m_options;
  std::function<void(Severity, const std::string&)> m_report;
  ZmqSocket m_socket;
  EndpointSet m_endpoints;
  Waiter& m_waiter;
  std::optional<Frontend> m_frontend;
};

}  // namespace sluice::core
