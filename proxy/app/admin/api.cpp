// SPDX-License-Identifier: Apache-2.0
#include "app/admin/api.hpp"

#include "app/admin/page.hpp"
#include "app/admin/request_body.hpp"
#include "app/admin/settings_json.hpp"
#include "app/admin/token.hpp"
#include "app/build_info.hpp"
#include "core/control/status_json.hpp"

#include <sluice/version.hpp>

#include <zmq.h>

#include <algorithm>
#include <utility>

namespace sluice::app {
namespace {

using std::chrono::milliseconds;

constexpr const char* k_json = "application/json";
constexpr milliseconds k_metrics_age{1000};

HttpResponse text(unsigned status, std::string body) {
  return {.status = status, .body = std::move(body) + '\n'};
}

HttpResponse json(std::string body) {
  return {.content_type = k_json, .body = std::move(body)};
}

HttpResponse refusal(unsigned status, std::string_view why) {
  return {.status = status, .content_type = k_json, .body = answer_json(false, why)};
}

HttpResponse wrong_method(const char* allowed) {
  HttpResponse response = refusal(405, std::string("only ") + allowed + " here");
  response.headers = {{"Allow", allowed}};
  return response;
}

std::string libzmq_version() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  zmq_version(&major, &minor, &patch);
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

std::string lower(std::string_view word) {
  std::string out(word);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

/// The path, for GET; whether it is there at all.
bool is_readable(std::string_view path) {
  constexpr std::string_view k_paths[] = {"/",       "/metrics",       "/healthz",
                                          "/readyz", "/api/v1/status", "/api/v1/settings"};
  return std::find(std::begin(k_paths), std::end(k_paths), path) != std::end(k_paths);
}

bool is_changeable(std::string_view path) {
  constexpr std::string_view k_paths[] = {"/api/v1/pause", "/api/v1/resume", "/api/v1/reload",
                                          "/api/v1/settings"};
  return std::find(std::begin(k_paths), std::end(k_paths), path) != std::end(k_paths);
}

ReloadFigures reloads_of(const LiveSettings& settings) {
  const auto status = settings.reloads();
  ReloadFigures figures;
  figures.last_successful = status.last_succeeded.value_or(true);
  figures.last_success_time = status.last_success_time;
  figures.successes = status.successes;
  figures.failures = status.failures;
  return figures;
}

CommandResult command_of(const HttpRequest& request) {
  if (request.path == "/api/v1/pause") return route_command("PAUSE", request.body);
  if (request.path == "/api/v1/resume") return route_command("RESUME", request.body);
  if (request.path == "/api/v1/reload") return reload_command(request.body);
  return set_command(request.body);
}

}  // namespace

Api::Api(const config::AdminOptions& options, AdminParts parts, Log& log,
         std::function<HttpFigures()> http)
    : m_options(options),
      m_log(log),
      m_parts(parts),
      m_http(std::move(http)),
      m_observer(parts.routes, parts.steering),
      m_protocol(parts.steering, [this](Severity severity, std::string_view line) {
        m_log.write(severity, "admin " + m_peer + ": " + std::string(line));
      }) {}

HttpResponse Api::handle(const HttpRequest& request) {
  m_peer = request.peer;
  const bool readable = is_readable(request.path);
  const bool changeable = is_changeable(request.path);
  if (!readable && !changeable) return text(404, "not here; look at /");
  if (request.method == "GET" && readable) return get(request.path);
  if (request.method == "POST" && changeable) return post(request);
  return wrong_method(!changeable ? "GET, HEAD" : readable ? "GET, HEAD, POST" : "POST");
}

HttpResponse Api::get(std::string_view path) {
  if (path == "/metrics") return metrics();
  if (path == "/healthz") return health();
  if (path == "/readyz") return readiness();
  if (path == "/api/v1/status") return status();
  if (path == "/api/v1/settings") {
    return json(settings_json(m_parts.settings.config(), m_options.changes));
  }
  return page_response();
}

HttpResponse Api::health() {
  const core::Outcome& outcome = m_observer.health();
  return outcome.ok() ? text(200, "ok") : text(503, outcome.text);
}

HttpResponse Api::readiness() const {
  const std::string why = m_observer.not_ready(m_options.paused_is_ready);
  return why.empty() ? text(200, "ready") : text(503, "not ready: " + why);
}

HttpResponse Api::status() {
  core::ProcessStatus status;
  status.uptime =
      std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - m_since);
  status.routes = m_observer.routes(milliseconds{0});
  status.reload = m_parts.settings.reloads();
  status.syscalls = syscall_counts();
  return json(core::status_json(status) + '\n');
}

HttpResponse Api::metrics() {
  MetricsInput input;
  input.version = version();
  input.revision = k_git_hash;
  input.libzmq = libzmq_version();
  input.routes = m_observer.routes(k_metrics_age);
  input.syscalls = syscall_counts();
  input.commands = commands();
  input.reload = reloads_of(m_parts.settings);
  input.http = m_http();
  refresh(input.routes);
  input.settings = m_slow.settings;
  input.process = m_slow.process;
  input.other_cpu_seconds = m_slow.other_cpu;
  return {.content_type = k_metrics_type, .body = metrics_text(input)};
}

// What is dear to read and moves slowly, read anew once a second.
void Api::refresh(const std::vector<RouteStatus>& routes) {
  const auto now = std::chrono::steady_clock::now();
  if (now < m_slow.due) return;
  m_slow.due = now + k_metrics_age;
  m_slow.settings = setting_metrics_text(m_parts.settings.config().sections);
  m_slow.process = read_process_figures();
  double rest = m_slow.process.cpu_seconds - m_slow.process.io_cpu_seconds;
  for (const RouteStatus& route : routes) {
    rest -= static_cast<double>(route.statistics.loop.cpu_ns) * 1e-9;
  }
  m_slow.other_cpu = std::max(m_slow.other_cpu, rest);
}

CommandFigures Api::commands() const {
  CommandFigures figures;
  for (std::size_t i = 0; i < core::k_verbs; ++i) {
    const auto verb = static_cast<core::Verb>(i);
    CommandFigures::Row row{lower(to_string(verb)), m_protocol.done(verb),
                            m_protocol.refused(verb)};
    if (m_parts.control != nullptr) {
      row.done += m_parts.control->done(verb);
      row.refused += m_parts.control->refused(verb);
    }
    figures.rows.push_back(std::move(row));
  }
  figures.rejected = m_protocol.rejected();
  figures.seconds = m_protocol.seconds();
  if (m_parts.control != nullptr) {
    figures.rejected += m_parts.control->rejected();
    const auto more = m_parts.control->seconds();
    figures.seconds.sum_ns += more.sum_ns;
    for (std::size_t i = 0; i < more.by_bucket.size(); ++i) {
      figures.seconds.by_bucket[i] += more.by_bucket[i];
    }
  }
  return figures;
}

HttpResponse Api::post(const HttpRequest& request) {
  if (!m_options.changes) {
    return refusal(403, "changes are off; [admin] changes = yes and token_file allow them");
  }
  std::string token;
  try {
    token = read_token(m_options.token_file);
  } catch (const std::exception& e) {
    return refusal(503, std::string("no change without a token: ") + e.what());
  }
  if (!brings_token(request.authorization, token)) {
    if (const auto held_back = m_refusals.admit(core::now())) {
      m_log.warning("admin " + m_peer + ": refused POST " + request.path + ": no right token" +
                    (*held_back > 0 ? " (and " + std::to_string(*held_back) + " more before it)"
                                    : std::string{}));
    }
    HttpResponse response = refusal(401, "this needs the header Authorization: Bearer TOKEN");
    response.headers = {{"WWW-Authenticate", "Bearer"}};
    return response;
  }
  if (!request.body.empty() && request.content_type.rfind(k_json, 0) != 0) {
    return refusal(415, "the body has to be application/json");
  }
  const CommandResult command = command_of(request);
  if (const auto* bad = std::get_if<BadBody>(&command)) return refusal(400, bad->why);
  return run(std::get<std::string>(command));
}

HttpResponse Api::run(const std::string& command) {
  m_slow.due = {};  // the settings may be others now
  const core::ControlAnswer answer =
      m_protocol.handle({.first = command, .frames = 1, .can_answer = true});
  if (answer.reply.empty()) return refusal(500, "no answer");
  std::string_view reply = answer.reply.front();
  if (reply.substr(0, 4) == "ERR ") {  // and the word
    return refusal(409, reply.substr(std::min(reply.find(' ', 4), reply.size() - 1) + 1));
  }
  if (reply.substr(0, 2) == "OK") reply.remove_prefix(std::min<std::size_t>(reply.size(), 3));
  return json(answer_json(true, reply));
}

}  // namespace sluice::app
