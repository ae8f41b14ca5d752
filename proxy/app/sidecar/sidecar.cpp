// SPDX-License-Identifier: Apache-2.0
#include "app/sidecar/sidecar.hpp"

#include "core/endpoint/ipc_files.hpp"

#include <algorithm>
#include <csignal>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace sluice::app {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// What the stop may take beyond the linger: closing the sockets and the context, on a busy
/// machine. It ends what hangs; a stop that was merely late is no failure.
constexpr milliseconds k_grace{1500};

int poll_timeout(std::optional<Clock::time_point> deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::ceil<milliseconds>(*deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 3'600'000));
}

zmq::context_t make_context(const config::ProcessOptions& options) {
  zmq::context_t context(options.io_threads, options.max_sockets);
  for (const int cpu : options.io_cpus) {
    zmq_ctx_set(context.handle(), ZMQ_THREAD_AFFINITY_CPU_ADD, cpu);
  }
  return context;
}

}  // namespace

Sidecar::Sidecar(Signals& signals, Log& log, config::Sources sources, config::LoadedConfig config)
    : m_signals(signals),
      m_log(log),
      m_config(std::move(config)),
      m_context(make_context(m_config.process)),
      m_zap(m_context, log),
      m_routes(m_context, m_config, log),
      m_settings(std::move(sources), m_config,
                 [this](const config::LoadedConfig& next) {
                   use_keys(next);
                   m_routes.apply(next);
                   if (m_feeds) m_feeds->apply(next);
                   m_routes.remove_missing(next);
                   m_log.set_level(next.log.level);
                 }),
      m_watchdog(log, [this] { clean_up(); }) {
  m_settings.watch_reloads(
      {[this] { reload_begins(); },
       [this](const auto& outcome, const auto& warnings) { reload_ended(outcome, warnings); }});
}

ExitCode Sidecar::run(std::optional<milliseconds> duration) {
  m_pid_file.emplace(m_config.process.pid_file);
  start();
  announce();
  loop(duration);
  return finish();
}

void Sidecar::start() {
  use_keys(m_config);
  if (m_config.control) m_control.emplace(m_context, *m_config.control);
  if (m_config.admin) m_admin.emplace(*m_config.admin, m_log);
  m_routes.start();
  m_feeds.emplace(m_context, m_config, m_log);
  m_steering.emplace(m_routes, *m_feeds, m_settings, m_log);
  m_steering->on_change([this] { m_service.state(state_text()); });
  if (m_control) m_control->start(*m_steering, m_log);
  if (m_admin) {
    m_admin->start(
        {m_routes, *m_steering, m_settings, m_control ? m_control->protocol() : nullptr});
  }
}

void Sidecar::announce() {
  std::string text = "ready: " + m_routes.describe();
  if (m_control) {
    for (const std::string& endpoint : m_control->endpoints()) text += "; control " + endpoint;
  }
  if (m_admin) text += "; admin " + m_admin->endpoint();
  m_log.info(text);
  if (!m_service.ready(state_text())) {
    m_log.warning("the service manager at NOTIFY_SOCKET was not reached");
  }
}

void Sidecar::loop(std::optional<milliseconds> duration) {
  std::optional<Clock::time_point> deadline;
  if (duration) deadline = Clock::now() + *duration;
  pollfd descriptors[] = {{m_signals.fd(), POLLIN, 0}, {m_routes.stopped_event().fd(), POLLIN, 0}};
  while (true) {
    static_cast<void>(::poll(descriptors, 2, poll_timeout(next_time(deadline))));
    while (const auto number = m_signals.next()) on_signal(*number);
    m_routes.stopped_event().take();
    if (m_routes.all_stopped()) return;
    if (const std::string failure = m_routes.failure(); !failure.empty() && !m_stopping) {
      begin_stop(failure);
    }
    m_service.sign_of_life(Clock::now(), [this] { return m_steering->ping().ok(); });
    if (deadline && Clock::now() >= *deadline) {
      deadline.reset();
      if (!m_stopping) begin_stop("the time given by --for has passed");
    }
  }
}

void Sidecar::on_signal(int number) {
  switch (number) {
    case SIGHUP:
      m_log.info("signal HUP: reload");
      static_cast<void>(m_settings.reload());
      break;
    case SIGUSR1:
      steer("signal USR1: pause", m_steering->pause({}));
      break;
    case SIGUSR2:
      steer("signal USR2: resume", m_steering->resume({}));
      break;
    default: {
      const std::string name = number == SIGINT ? "signal INT" : "signal TERM";
      if (!m_stopping) {
        begin_stop(name);
        break;
      }
      m_log.warning("a second " + name + ": leaving at once, exit 1");
      clean_up();
      ::_exit(static_cast<int>(ExitCode::failure));
    }
  }
}

// The state in a line, for the service manager.
std::string Sidecar::state_text() const {
  std::string paused;
  const auto routes = m_routes.routes();
  for (const auto& route : routes) {
    if (route->state() != RouteState::paused) continue;
    paused += (paused.empty() ? "" : ", ") + route->options().name;
  }
  std::string text = "forwarding";
  if (!paused.empty()) text = routes.size() == 1 ? "paused" : "forwarding, paused: " + paused;
  const auto reload = m_settings.reloads();
  if (reload.last_succeeded == false) text += "; the last reload failed: " + reload.last_error;
  return text;
}

std::optional<Clock::time_point> Sidecar::next_time(
    std::optional<Clock::time_point> deadline) const {
  const auto sign = m_service.next_sign();
  return deadline && sign ? std::min(deadline, sign) : (deadline ? deadline : sign);
}

void Sidecar::reload_begins() {
  m_service.reloading();
}

void Sidecar::reload_ended(const core::Outcome& outcome,
                           const std::vector<config::Warning>& warnings) {
  for (const config::Warning& warning : warnings) m_log.warning(warning.to_string());
  if (outcome.ok()) {
    m_log.info("reload: " + outcome.text);
  } else {
    m_log.error("reload refused, the settings in force stay: " + outcome.text);
  }
  m_service.reloaded(state_text());
}

void Sidecar::steer(const char* what, const core::Outcome& outcome) {
  std::string text = what;
  if (!outcome.ok()) {
    m_log.error(text + " refused: " + outcome.text);
    return;
  }
  if (!outcome.text.empty()) text += ": " + outcome.text;
  m_log.info(text);
}

void Sidecar::begin_stop(const std::string& why) {
  m_stopping = true;
  m_why = why;
  m_log.info("stopping, draining first: " + why);
  m_service.stopping(why);
  m_watchdog.arm(m_routes.longest_linger() + k_grace);
  m_feeds->request_stop({});
  m_routes.request_drain();
}

void Sidecar::use_keys(const config::LoadedConfig& config) {
  m_zap.apply(config);
  if (config.curve.empty()) return;
  if (!keep_memory_out_of_core_dumps())
    m_log.warning("a core dump of this process would hold keys");
}

// What a process that does not wind up leaves behind.
void Sidecar::clean_up() noexcept {
  core::remove_all_ipc_files();
  if (m_pid_file) m_pid_file->remove();
}

ExitCode Sidecar::finish() {
  m_service.stopping("by command");
  m_watchdog.arm(m_routes.longest_linger() + k_grace);
  m_feeds->request_stop({});
  m_watchdog.waiting_for("the generators");
  m_feeds->join_generators();
  m_feeds->log_totals(m_log);
  m_routes.log_totals();
  const std::string failure = m_routes.failure();
  m_log.write(failure.empty() ? Severity::info : Severity::error,
              failure.empty() ? "exit 0: " + m_why : "exit 1: " + failure);
  // The routes have done their part: what comes now may be late, but nothing can be lost by it.
  const ExitCode code = failure.empty() ? ExitCode::done : ExitCode::failure;
  m_watchdog.waiting_for("the control socket", code);
  if (m_control) m_control->stop();
  if (m_admin) m_admin->stop();
  m_context.shutdown();
  m_feeds->join_plugins(
      [this](const std::string& name) { m_watchdog.waiting_for("plug-in " + name); });
  m_watchdog.waiting_for("the context: a socket is still open", code);
  m_context.close();
  return code;
}

}  // namespace sluice::app
