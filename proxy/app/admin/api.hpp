// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/admin/http.hpp"
#include "app/admin/http_server.hpp"
#include "app/admin/metrics.hpp"
#include "app/admin/observer.hpp"
#include "app/log/log.hpp"
#include "app/routes/route_set.hpp"
#include "app/settings/live_settings.hpp"
#include "config/loaded.hpp"
#include "core/control/control_log.hpp"
#include "core/control/control_protocol.hpp"
#include "core/control/steerable.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::app {

/// What the admin server shows and steers; all of it outlives the server's thread.
struct AdminParts {
  const RouteSet& routes;
  core::Steerable& steering;
  const LiveSettings& settings;
  const core::ControlProtocol* control = nullptr;  ///< the control socket's, for its counts
};

/// The endpoints. Changes go the way of the control socket: one protocol parses, counts, logs and
/// answers for both. Used by the server's thread.
class Api {
 public:
  Api(const config::AdminOptions& options, AdminParts parts, Log& log,
      std::function<HttpFigures()> http);

  [[nodiscard]] HttpResponse handle(const HttpRequest& request);

 private:
  struct Slow {
    std::chrono::steady_clock::time_point due{};
    std::string settings;
    ProcessFigures process;
    double other_cpu = 0;  ///< never goes back
  };

  void refresh(const std::vector<RouteStatus>& routes);
  [[nodiscard]] HttpResponse get(std::string_view path);
  [[nodiscard]] HttpResponse post(const HttpRequest& request);
  [[nodiscard]] HttpResponse metrics();
  [[nodiscard]] HttpResponse status();
  [[nodiscard]] HttpResponse health();
  [[nodiscard]] HttpResponse readiness() const;
  [[nodiscard]] HttpResponse run(const std::string& command);
  [[nodiscard]] CommandFigures commands() const;

  const config::AdminOptions m_options;
  Log& m_log;
  AdminParts m_parts;
  std::function<HttpFigures()> m_http;
  Observer m_observer;
  std::string m_peer;  ///< who asks, for the log
  core::ControlProtocol m_protocol;
  core::LogLimit m_refusals;
  std::chrono::steady_clock::time_point m_since = std::chrono::steady_clock::now();
  Slow m_slow;
};

}  // namespace sluice::app
