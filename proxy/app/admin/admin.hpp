// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/admin/api.hpp"

#include <optional>
#include <string>

namespace sluice::app {

/// The admin HTTP server of the sidecar. Made, started and stopped by main; everything else is on
/// its own thread.
class Admin {
 public:
  /// Reads the token file if there is one, and listens. Throws EndpointError, std::runtime_error.
  Admin(const config::AdminOptions& options, Log& log);

  /// Answers from now on. What `parts` refers to lives until `stop` or the destructor.
  void start(AdminParts parts);
  void stop() { m_server.stop(); }

  /// "http://127.0.0.1:9464", as bound.
  [[nodiscard]] std::string endpoint() const { return "http://" + m_server.endpoint(); }

 private:
  config::AdminOptions m_options;
  Log& m_log;
  std::optional<Api> m_api;
  HttpServer m_server;
};

}  // namespace sluice::app
