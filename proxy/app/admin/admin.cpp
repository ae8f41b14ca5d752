// SPDX-License-Identifier: Apache-2.0
#include "app/admin/admin.hpp"

#include "app/admin/token.hpp"

#include <sys/stat.h>

namespace sluice::app {
namespace {

HttpLimits limits_of(const config::AdminOptions& options) {
  HttpLimits limits;
  limits.connections = options.max_connections;
  limits.request_timeout = options.request_timeout;
  return limits;
}

void check_token(const config::AdminOptions& options, Log& log) {
  if (!options.changes) return;
  static_cast<void>(read_token(options.token_file));
  struct stat file {};
  if (::stat(options.token_file.c_str(), &file) == 0 && (file.st_mode & S_IROTH) != 0) {
    log.warning("admin: every user of this machine can read " + options.token_file);
  }
}

}  // namespace

Admin::Admin(const config::AdminOptions& options, Log& log)
    : m_options(options), m_log(log), m_server(options.address, options.port, limits_of(options)) {
  check_token(options, log);
}

void Admin::start(AdminParts parts) {
  m_api.emplace(m_options, parts, m_log, [this] { return m_server.figures(); });
  m_server.start([this](const HttpRequest& request) { return m_api->handle(request); });
}

}  // namespace sluice::app
