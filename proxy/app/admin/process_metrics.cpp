// SPDX-License-Identifier: Apache-2.0
#include "app/admin/families.hpp"

namespace sluice::app {
namespace {

void add_commands(Families& families, const CommandFigures& commands) {
  auto& family = families.counter("sluice_control_commands_total",
                                  "Commands of the control socket and over HTTP");
  for (const auto& row : commands.rows) {
    family.add({{"command", row.command}, {"result", "done"}}, row.done);
    family.add({{"command", row.command}, {"result", "refused"}}, row.refused);
  }
  family.add({{"command", "unknown"}, {"result", "refused"}}, commands.rejected);
  families
      .histogram("sluice_control_command_seconds",
                 "From a command's receipt to its answer; most of it is the loop's look")
      .add({}, commands.seconds);
}

void add_reload(Families& families, const ReloadFigures& reload) {
  families
      .gauge("sluice_config_last_reload_successful",
             "Whether the last attempt succeeded; the start counts")
      .add({}, reload.last_successful ? 1.0 : 0.0);
  families
      .gauge("sluice_config_last_reload_success_timestamp_seconds",
             "When the settings in force were loaded")
      .add({}, reload.last_success_time);
  auto& family = families.counter("sluice_config_reloads_total", "Attempts to reload");
  family.add({{"result", "success"}}, reload.successes);
  family.add({{"result", "failure"}}, reload.failures);
}

void add_syscalls(Families& families, const SyscallCounts& counts) {
  auto& family = families.counter(
      "sluice_syscalls_total",
      "System calls by the kernel's name, made through the C library by forwarding threads, "
      "libzmq's I/O threads and others");
  const auto add = [&family](const char* thread, const SyscallTable& table) {
    for (const auto& [call, count] : table) {
      family.add({{"thread", thread}, {"call", call}}, count);
    }
  };
  add("forwarding", counts.forwarding);
  add("io", counts.io);
  add("other", counts.other);
}

void add_cpu(Families& families, const MetricsInput& input) {
  double forwarding = 0;
  for (const RouteStatus& route : input.routes) {
    forwarding += static_cast<double>(route.statistics.loop.cpu_ns) * 1e-9;
  }
  auto& family = families.counter("sluice_cpu_seconds_total", "CPU time by the kind of thread");
  family.add({{"thread", "forwarding"}}, forwarding);
  family.add({{"thread", "io"}}, input.process.io_cpu_seconds);
  family.add({{"thread", "other"}}, input.other_cpu_seconds);
}

void add_http(Families& families, const HttpFigures& http) {
  auto& family = families.counter("sluice_admin_responses_total", "HTTP answers by status");
  for (const auto& [status, count] : http.responses) {
    family.add({{"code", std::to_string(status)}}, count);
  }
  families.gauge("sluice_admin_connections", "HTTP connections").add({}, http.connections);
  families
      .counter("sluice_admin_refused_connections_total", "HTTP connections over max_connections")
      .add({}, http.refused_connections);
}

}  // namespace

void add_process(Families& families, const MetricsInput& input) {
  if (input.syscalls) add_syscalls(families, *input.syscalls);
  add_cpu(families, input);
  add_commands(families, input.commands);
  add_reload(families, input.reload);
  add_http(families, input.http);
  const ProcessFigures& process = input.process;
  families.counter("process_cpu_seconds_total", "CPU time of the process")
      .add({}, process.cpu_seconds);
  families.gauge("process_start_time_seconds", "When it began, since 1970")
      .add({}, process.start_time);
  families.gauge("process_resident_memory_bytes", "Memory in use").add({}, process.resident_bytes);
  families.gauge("process_virtual_memory_bytes", "Address space in use")
      .add({}, process.virtual_bytes);
  families.gauge("process_open_fds", "Descriptors in use").add({}, process.open_descriptors);
  families.gauge("process_max_fds", "Descriptors allowed").add({}, process.most_descriptors);
  families.gauge("process_threads", "Threads").add({}, process.threads);
}

}  // namespace sluice::app
